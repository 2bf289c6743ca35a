//! Where the links of an article lead, judged by the address that they resolve to and not by how it is written.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use url::Url;

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps::lists::ARTICLES;
use crate::steps::{self, articles, lists};

const LISTS: &[Capability] = &[Capability::JOBS, Capability::ARTICLES];

const SOURCE: &str = "openapi.yaml, Article, x-conformance article-links";

/// Pages of published articles that a link is looked for on.
const PAGES: usize = 20;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.links.internal",
            "Each of internal_links has a text and the address of another article; a link with that text in content_html leads to the same address.",
            "openapi.yaml, Article internal_links and InternalLink",
            internal,
        )
        .should()
        .needs(LISTS),
        Requirement::must(
            "articles.links.published",
            "internal_links names only published articles of the same website.",
            SOURCE,
            published,
        )
        .needs(LISTS),
    ]
}

/// A link that was resolved: without the part of the page, which is no address of its own.
struct Link {
    url: Url,
    text: String,
}

/// An article that links to others, its links, and the address of an article of the same website.
async fn linked(context: &Context) -> Result<(Value, Vec<Link>, Url), Halt> {
    let topic = "Choosing a lamp for reading";
    let neighbour = articles::published(context, topic).await?;
    let beside = demand::text(&neighbour, "url")?;
    let beside = Url::parse(beside).map_err(|_| Halt::fail("an absolute URL of a published article", beside))?;
    let mut body = steps::quiet_request(context, topic);
    // A short article may have no room for links.
    body["target_word_count"] = json!(1_200);
    let (_, article) = steps::written(context, &body).await?;
    let article = demand::json(&article)?.clone();
    let mut links = Vec::new();
    for link in article["internal_links"].as_array().into_iter().flatten() {
        let url = resolved(&beside, demand::text(link, "url")?)?;
        links.push(Link { url, text: words(demand::text(link, "anchor_text")?) });
    }
    if links.is_empty() {
        return Err(Halt::inconclusive("the article links to no other, although one on the same topic is published"));
    }
    Ok((article, links, beside))
}

/// The address that a reference leads to from a page of the website. Relative and protocol-relative ones, hosts in capitals and
/// default ports come to the same.
fn resolved(page: &Url, reference: &str) -> Result<Url, Halt> {
    let mut url = page.join(reference).map_err(|_| Halt::fail("the address of a page", reference))?;
    url.set_fragment(None);
    ensure(matches!(url.scheme(), "http" | "https"), "the address of a page", || reference.to_owned())?;
    Ok(url)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn internal(context: Context, _: Value) -> Verdict {
    let (article, links, beside) = linked(&context).await?;
    for link in &links {
        ensure(!is_own(&article, &beside, &link.url), "links to other articles", || link.url.to_string())?;
    }
    for (reference, text) in html::links(demand::text(&article, "content_html")?) {
        let same: Vec<&Link> = links.iter().filter(|link| link.text == words(&text)).collect();
        if same.is_empty() {
            continue;
        }
        let url = resolved(&beside, &reference)?;
        let expected = format!("a link of the text to {}", same[0].url);
        ensure(same.iter().any(|link| link.url == url), expected, || url.to_string())?;
    }
    Ok(())
}

/// Whether an address is that of the article itself. One that is not published has none yet, but its slug is the last part.
fn is_own(article: &Value, beside: &Url, url: &Url) -> bool {
    let known = ["url", "canonical_url"].iter().filter_map(|name| Url::parse(article[*name].as_str()?).ok());
    let is_known = known.into_iter().any(|own| own == *url);
    let last = url.path_segments().and_then(|mut segments| segments.next_back());
    is_known || (url.origin() == beside.origin() && last.is_some() && last == article["slug"].as_str())
}

async fn published(context: Context, _: Value) -> Verdict {
    let (_, links, _) = linked(&context).await?;
    let mut missing: BTreeSet<Url> = links.into_iter().map(|link| link.url).collect();
    let base = format!("limit=100&status=published&website_id={}", steps::segment(&context.facts().website_id));
    let mut query = base.clone();
    for _ in 0..PAGES {
        let exchange = lists::page(&context, ARTICLES, &query).await?;
        let page = demand::json(&exchange)?;
        for row in lists::rows(page) {
            if let Some(url) = row["url"].as_str().and_then(|url| Url::parse(url).ok()) {
                missing.remove(&url);
            }
        }
        match lists::next_of(page).filter(|_| !missing.is_empty()) {
            Some(next) => query = lists::with_token(&base, next),
            None => {
                return ensure(missing.is_empty(), "links to published articles of the website", || {
                    missing.iter().map(Url::as_str).collect::<Vec<_>>().join(", ")
                });
            }
        }
    }
    Err(Halt::inconclusive("there are more published articles than can be looked through"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use url::Url;

    use super::{is_own, resolved};

    #[test]
    fn links_are_what_they_resolve_to() {
        let page = Url::parse("https://bakery.example/first-loaf").expect("a constant URL");
        let expected = "https://bakery.example/rye";
        for reference in [
            "rye",
            "/rye",
            "//bakery.example/rye",
            "HTTPS://BAKERY.example:443/rye#top",
            "https://bakery.example/x/../rye",
        ] {
            assert_eq!(resolved(&page, reference).map(|url| url.to_string()), Ok(expected.to_owned()), "{reference}");
        }
        assert!(resolved(&page, "java\nscript:track()").is_err());
    }

    #[test]
    fn an_article_is_known_by_its_address_or_its_slug() {
        let beside = Url::parse("https://bakery.example/first-loaf").expect("a constant URL");
        let draft = json!({ "url": null, "slug": "rye" });
        let is_own_of = |reference: &str| is_own(&draft, &beside, &resolved(&beside, reference).expect("an address"));
        assert!(is_own_of("https://BAKERY.example/rye"));
        assert!(!is_own_of("https://bakery.example/rye-2") && !is_own_of("https://mill.example/rye"));
    }
}
