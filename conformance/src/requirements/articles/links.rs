//! Links of an article. The checks compare resolved addresses, so spelling does not matter.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use url::Url;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps::lists::ARTICLES;
use crate::steps::times::moment;
use crate::steps::{self, articles, lists};

const LISTS: &[Capability] = &[Capability::JOBS, Capability::ARTICLES];

/// Maximum number of pages of articles that the check reads.
const PAGES: usize = 20;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.links.internal",
            "Each of internal_links has a text and the address of another article. If content_html has one link with that text, it has the same address.",
            &[
                Sentence("Links to other published articles of the website on related topics."),
                Sentence("A link to another published article of the same website."),
                Sentence("`url` of the other article."),
                Part("/components/schemas/InternalLink/required"),
                Part("/components/schemas/InternalLink/properties/anchor_text/minLength"),
            ],
            internal,
        )
        .should()
        .needs(LISTS),
        Requirement::new(
            "articles.links.published",
            "The url of each of internal_links is the url of a published article of the same website.",
            &[
                Sentence(
                    "`internal_links` names only articles of the same website that were published when it was written.",
                ),
                Sentence("`url` of the other article."),
            ],
            published,
        )
        .needs(LISTS),
    ]
}

/// A resolved link, without its fragment.
struct Link {
    url: Url,
    text: String,
}

/// Returns an article that links to others, its links, and the address of another article of the website.
async fn linked(context: &Context) -> Result<(Value, Vec<Link>, Url), Halt> {
    let topic = "Choosing a lamp for reading";
    let neighbour = articles::published(context, topic).await?;
    let beside = demand::text(&neighbour, "url")?;
    let beside = Url::parse(beside).map_err(|_| Halt::fail("an absolute URL of a published article", beside))?;
    let mut body = steps::quiet_request(context, topic);
    // A short article may have no links.
    body["target_word_count"] = json!(1_200);
    let (_, article) = steps::written(context, &body).await?;
    let article = demand::json(&article)?.clone();
    let mut links = Vec::new();
    for link in article["internal_links"].as_array().into_iter().flatten() {
        let url = resolved(&beside, demand::text(link, "url")?)?;
        links.push(Link { url, text: words(demand::text(link, "anchor_text")?) });
    }
    if links.is_empty() {
        return Err(Halt::inconclusive(
            "the article has no internal links, although its topic has a published article",
        ));
    }
    Ok((article, links, beside))
}

/// Resolves a reference on a page of the website. Relative and absolute spellings of one address give the same result.
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
    let shown: Vec<(String, String)> = html::links(demand::text(&article, "content_html")?)
        .into_iter()
        .map(|(reference, text)| (reference, words(&text)))
        .collect();
    for (reference, text) in &shown {
        let same: Vec<&Link> = links.iter().filter(|link| link.text == *text).collect();
        let is_only_one = shown.iter().filter(|(_, other)| other == text).count() == 1;
        if same.is_empty() || !is_only_one {
            continue;
        }
        let url = resolved(&beside, reference)?;
        let expected = format!("a link of the text to {}", same[0].url);
        ensure(same.iter().any(|link| link.url == url), expected, || url.to_string())?;
    }
    Ok(())
}

/// Returns true if an address is the article's own. A draft has no address yet, so its slug is compared with the last segment.
fn is_own(article: &Value, beside: &Url, url: &Url) -> bool {
    let known = ["url", "canonical_url"].iter().filter_map(|name| Url::parse(article[*name].as_str()?).ok());
    let is_known = known.into_iter().any(|own| own == *url);
    let last = url.path_segments().and_then(|mut segments| segments.next_back());
    is_known || (url.origin() == beside.origin() && last.is_some() && last == article["slug"].as_str())
}

async fn published(context: Context, _: Value) -> Verdict {
    let (article, links, _) = linked(&context).await?;
    let written = moment(&article, "created_at")?;
    let mut is_archived_since = false;
    let mut missing: BTreeSet<Url> = links.into_iter().map(|link| link.url).collect();
    let base = format!("limit=100&website_id={}", steps::segment(&context.facts().website_id));
    let mut query = base.clone();
    for _ in 0..PAGES {
        let exchange = lists::page(&context, ARTICLES, &query).await?;
        let page = demand::json(&exchange)?;
        for row in lists::rows(page) {
            if let Some(url) = row["url"].as_str().and_then(|url| Url::parse(url).ok()) {
                missing.remove(&url);
            }
            is_archived_since |= row["status"] == "archived" && moment(row, "updated_at")? >= written;
        }
        match lists::next_of(page).filter(|_| !missing.is_empty()) {
            Some(next) => query = lists::with_token(&base, next),
            None if is_archived_since && !missing.is_empty() => {
                return Err(Halt::inconclusive("a link may lead to an article that was archived in the meantime"));
            }
            None => {
                return ensure(missing.is_empty(), "links to published articles of the website", || {
                    missing.iter().map(Url::as_str).collect::<Vec<_>>().join(", ")
                });
            }
        }
    }
    Err(Halt::inconclusive("there are too many articles to read all"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use url::Url;

    use super::{is_own, resolved};

    #[test]
    fn spellings_of_one_address_resolve_to_the_same_link() {
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
    fn an_article_is_recognised_by_its_address_or_its_slug() {
        let beside = Url::parse("https://bakery.example/first-loaf").expect("a constant URL");
        let draft = json!({ "url": null, "slug": "rye" });
        let is_own_of = |reference: &str| is_own(&draft, &beside, &resolved(&beside, reference).expect("an address"));
        assert!(is_own_of("https://BAKERY.example/rye"));
        assert!(!is_own_of("https://bakery.example/rye-2") && !is_own_of("https://mill.example/rye"));
    }
}
