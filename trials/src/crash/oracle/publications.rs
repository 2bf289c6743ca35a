//! Checks on published articles: at a system that recognises ids, at one that does not, and in files.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac_sha256::HMAC;
use serde_json::Value;

use super::super::cms::{Pushed, System, address_of};
use super::Verdict;

/// An article in the database.
#[derive(Debug, Clone)]
pub(in crate::crash) struct StoredArticle {
    pub(in crate::crash) website_id: String,
    pub(in crate::crash) body: Value,
}

impl StoredArticle {
    fn text(&self, member: &str) -> &str {
        self.body[member].as_str().unwrap_or_default()
    }
}

/// The requests that one system received.
#[derive(Debug)]
pub(in crate::crash) struct Pushes {
    pub(in crate::crash) system: System,
    pub(in crate::crash) website_id: String,
    pub(in crate::crash) secret: Vec<u8>,
    pub(in crate::crash) received: Vec<Pushed>,
}

/// Everything that is known at the end.
#[derive(Debug)]
pub(in crate::crash) struct Publications {
    pub(in crate::crash) articles: Vec<StoredArticle>,
    pub(in crate::crash) pushes: Vec<Pushes>,
    /// Contents of the idempotent system, by id.
    pub(in crate::crash) kept: BTreeMap<String, Bytes>,
    /// The website with files, and the contents of its folder.
    pub(in crate::crash) directory: (String, BTreeMap<String, String>),
}

type Check = (&'static str, &'static str, fn(&Publications) -> Vec<String>);

const CHECKS: [Check; 5] = [
    ("pushed-once", "A system that knows ids has each article exactly once.", pushed_once),
    (
        "pushed-at-least-once",
        "Every system got each article, always under one id with the same bytes.",
        pushed_at_least_once,
    ),
    ("pushes-signed", "Every request is signed with its website's secret.", signed),
    ("address-told", "The `url` of an article is the address that its system returned.", address_told),
    (
        "one-whole-file",
        "Each article has exactly one complete file, and the folder contains no other file.",
        one_whole_file,
    ),
];

/// Runs all checks.
pub(in crate::crash) fn judge_publications(publications: &Publications) -> Vec<Verdict> {
    let verdict = |(check, sentence, find): &Check| Verdict { check, sentence, faults: find(publications) };
    CHECKS.iter().map(verdict).collect()
}

impl Publications {
    fn articles_of<'a>(&'a self, website_id: &'a str) -> impl Iterator<Item = &'a StoredArticle> {
        self.articles.iter().filter(move |article| article.website_id == website_id)
    }
}

/// Returns the id of the article in a request.
fn article_id(body: &[u8]) -> String {
    let article: Value = serde_json::from_slice(body).unwrap_or_default();
    article["id"].as_str().unwrap_or_default().to_owned()
}

fn pushed_once(publications: &Publications) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for body in publications.kept.values() {
        *counts.entry(article_id(body)).or_default() += 1;
    }
    let pushes = publications.pushes.iter().filter(|pushes| pushes.system == System::Idempotent);
    let mut faults = Vec::new();
    for article in pushes.flat_map(|pushes| publications.articles_of(&pushes.website_id)) {
        let id = article.text("id");
        match counts.remove(id) {
            Some(1) => {}
            count => faults.push(format!("{id} exists {} times", count.unwrap_or_default())),
        }
    }
    faults.extend(counts.keys().map(|id| format!("{id} exists, but is not an article of the website")));
    faults
}

fn pushed_at_least_once(publications: &Publications) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for pushes in &publications.pushes {
        let mut forms: BTreeMap<String, BTreeSet<(&str, &[u8])>> = BTreeMap::new();
        for request in &pushes.received {
            forms.entry(article_id(&request.body)).or_default().insert((&request.id, &request.body));
            if request.id.is_empty() || request.id != request.idempotency_key {
                faults.insert(format!("{} arrived with the key {}", request.id, request.idempotency_key));
            }
        }
        for article in publications.articles_of(&pushes.website_id) {
            let id = article.text("id");
            let count = forms.get(id).map_or(0, BTreeSet::len);
            if count != 1 {
                faults.insert(format!("{id} arrived at {:?} in {count} forms", pushes.system));
            }
        }
    }
    faults.into_iter().collect()
}

fn signed(publications: &Publications) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for pushes in &publications.pushes {
        for request in &pushes.received {
            let mut mac = HMAC::new(&pushes.secret);
            mac.update(format!("{}.{}.", request.id, request.timestamp));
            mac.update(&request.body);
            if request.signature != format!("v1,{}", STANDARD.encode(mac.finalize())) {
                faults.insert(format!("{} at {:?}", request.id, pushes.system));
            }
        }
    }
    faults.into_iter().collect()
}

fn address_told(publications: &Publications) -> Vec<String> {
    let mut faults = Vec::new();
    for pushes in &publications.pushes {
        for article in publications.articles_of(&pushes.website_id) {
            let returned = address_of(pushes.system, article.text("slug"));
            if article.text("url") != returned {
                faults.push(format!(
                    "{} is at {}, but its system returned {returned}",
                    article.text("id"),
                    article.text("url")
                ));
            }
        }
    }
    faults
}

fn one_whole_file(publications: &Publications) -> Vec<String> {
    let (website_id, files) = &publications.directory;
    let mut left: BTreeSet<&String> = files.keys().collect();
    let mut faults = Vec::new();
    for article in publications.articles_of(website_id) {
        let id = article.text("id");
        let owner = format!("\ncontentgen_id: \"{id}\"\n");
        let own: Vec<_> = files.iter().filter(|(_, text)| text.contains(&owner)).collect();
        let [(name, text)] = own[..] else {
            faults.push(format!("{id} has {} files", own.len()));
            continue;
        };
        left.remove(name);
        if !text.starts_with("---\n") || !text.trim_end().ends_with(article.text("content_markdown").trim_end()) {
            faults.push(format!("{name} is not complete"));
        }
    }
    faults.extend(left.into_iter().map(|name| format!("{name} exists, but belongs to no article")));
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn article(website_id: &str, id: &str, system: Option<System>) -> StoredArticle {
        let url = system.map(|system| address_of(system, id));
        let body = json!({ "id": id, "slug": id, "url": url, "content_markdown": format!("Text of {id}.\n") });
        StoredArticle { website_id: website_id.to_owned(), body }
    }

    fn pushed(secret: &[u8], article_id: &str) -> Pushed {
        let (id, timestamp) = (format!("{article_id}_1"), "1790000000".to_owned());
        let body = Bytes::from(json!({ "id": article_id }).to_string());
        let text = [format!("{id}.{timestamp}.").as_bytes(), &body].concat();
        let signature = format!("v1,{}", STANDARD.encode(HMAC::mac(text, secret)));
        Pushed { idempotency_key: id.clone(), id, timestamp, signature, body }
    }

    /// Two systems and a folder with two articles each; one article was pushed twice.
    fn healthy() -> Publications {
        let websites =
            System::ALL.map(|system| (system, format!("web_{system:?}"), format!("{system:?}").into_bytes()));
        let mut articles = Vec::new();
        let mut pushes = Vec::new();
        let mut kept = BTreeMap::new();
        for (system, website_id, secret) in websites {
            let ids = ["one", "two"].map(|name| format!("art_{name}_{system:?}"));
            articles.extend(ids.iter().map(|id| article(&website_id, id, Some(system))));
            let received: Vec<_> = [&ids[0], &ids[1], &ids[1]].map(|id| pushed(&secret, id)).into();
            if system == System::Idempotent {
                kept.extend(received.iter().map(|request| (request.id.clone(), request.body.clone())));
            }
            pushes.push(Pushes { system, website_id, secret, received });
        }
        let mut files = BTreeMap::new();
        for id in ["art_file_1", "art_file_2"] {
            articles.push(article("web_files", id, None));
            files.insert(format!("{id}.md"), format!("---\ncontentgen_id: \"{id}\"\n---\n\nText of {id}.\n"));
        }
        Publications { articles, pushes, kept, directory: ("web_files".to_owned(), files) }
    }

    /// Returns the checks that find something after `spoil` changed sound publications.
    fn found(spoil: impl FnOnce(&mut Publications)) -> Vec<&'static str> {
        let mut publications = healthy();
        spoil(&mut publications);
        let verdicts = judge_publications(&publications).into_iter();
        verdicts.filter(|verdict| !verdict.faults.is_empty()).map(|verdict| verdict.check).collect()
    }

    #[test]
    fn nothing_is_found_where_nothing_is_wrong() {
        assert_eq!(found(|_| {}), [""; 0]);
    }

    #[test]
    fn what_is_planted_is_found_by_its_check_and_no_other() {
        let idempotent = System::Idempotent as usize;
        // Lost at the system, and stored twice.
        assert_eq!(found(|all| drop(all.kept.pop_first())), ["pushed-once"]);
        assert_eq!(
            found(|all| {
                let body = all.kept.values().next().unwrap().clone();
                all.kept.insert("other".to_owned(), body);
            }),
            ["pushed-once"]
        );
        // Never sent, and sent under two ids.
        assert_eq!(found(|all| drop(all.pushes[1].received.remove(0))), ["pushed-at-least-once"]);
        assert_eq!(
            found(|all| {
                let secret = all.pushes[1].secret.clone();
                let mut again = pushed(&secret, "art_one_Naive");
                again.body = Bytes::from_static(br#"{ "id": "art_one_Naive" }"#);
                let text = [format!("{}.{}.", again.id, again.timestamp).as_bytes(), &again.body].concat();
                again.signature = format!("v1,{}", STANDARD.encode(HMAC::mac(text, secret)));
                all.pushes[1].received.push(again);
            }),
            ["pushed-at-least-once"]
        );
        assert_eq!(found(|all| all.pushes[1].received[0].idempotency_key.clear()), ["pushed-at-least-once"]);
        assert_eq!(found(|all| all.pushes[idempotent].received[0].signature.push('x')), ["pushes-signed"]);
        assert_eq!(found(|all| all.articles[0].body["url"] = json!("https://elsewhere.example")), ["address-told"]);
        // No file, half a file, a second file, and an unfinished one.
        assert_eq!(found(|all| drop(all.directory.1.pop_first())), ["one-whole-file"]);
        let cut = |all: &mut Publications| all.directory.1.first_entry().unwrap().get_mut().truncate(45);
        assert_eq!(found(cut), ["one-whole-file"]);
        assert_eq!(
            found(|all| {
                let text = all.directory.1.values().next().unwrap().clone();
                all.directory.1.insert("copy.md".to_owned(), text);
            }),
            ["one-whole-file"]
        );
        assert_eq!(
            found(|all| drop(all.directory.1.insert(".contentgen-art_file_1-x".to_owned(), String::new()))),
            ["one-whole-file"]
        );
    }
}
