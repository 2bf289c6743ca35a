//! Pages of articles on the service itself: their addresses and methods.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::status::{is_html, page_request};
use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{About as _, Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::articles;

const JOBS: &[Capability] = &[Capability::JOBS];

/// End of a slug that no article has.
const UNKNOWN: &str = "-x7q-nothing";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.page.slash",
            "If url of an article is an address of the API's server, url with a slash at its end redirects permanently to url.",
            &[
                Sentence("The address of a page with a slash at its end redirects permanently to the page, with 301 or 308."),
                Sentence(
                    "If the service itself shows an article to readers, `url` of the article is the address of its page.",
                ),
                Sentence("Pages need no key."),
                Standard("RFC 9110", "15.4.9"),
            ],
            slash,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.page.unknown",
            "If url of an article is an address of the API's server, the same address with an unknown slug is answered with 404 and an HTML page.",
            &[
                Sentence("An address beside a page, with an unknown slug, is answered with 404."),
                Sentence("Errors of pages are HTML pages, because readers see them."),
                Sentence("Only the lead form and addresses of pages may answer with a page."),
            ],
            unknown,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.page.methods",
            "If url of an article is an address of the API's server, HEAD is answered like GET without a body, and POST with 405, Allow and an HTML page.",
            &[
                Sentence("A page answers GET, and HEAD like GET without a body."),
                Sentence("Another method is answered with 405 and `Allow`."),
                Sentence("Errors of pages are HTML pages, because readers see them."),
                Part("/x-problem-codes/method_not_allowed/status"),
                Standard("RFC 9110", "9.3.2"),
                Standard("RFC 9110", "15.5.6"),
            ],
            methods,
        )
        .needs(JOBS),
    ]
}

/// A published article with a page on the service.
struct Page {
    article: Value,
    url: Url,
    exchange: Arc<Exchange>,
}

/// Publishes an article, and requests its page. Decides nothing if the article has no page at its own address.
async fn page(context: &Context) -> Result<Page, Halt> {
    let publishing = async { articles::published(context, "Planting a pear tree").await };
    let article = context.once("a published article with a page", Box::pin(publishing)).await?;
    let url = demand::text(&article, "url")?;
    let url = Url::parse(url).map_err(|_| Halt::fail("an absolute URL of a published article", url))?;
    let exchange = send(context, "GET", &url).await?;
    ensure_met(!(300..400).contains(&exchange.status), "the address of the article redirects")?;
    demand::status(&exchange, 200)?;
    Ok(Page { article, url, exchange })
}

async fn send(context: &Context, method: &str, url: &Url) -> Result<Arc<Exchange>, Halt> {
    context.send(page_request(context, method, url)?).await
}

async fn slash(context: Context, _: Value) -> Verdict {
    let Page { url, .. } = page(&context).await?;
    ensure_met(!url.path().ends_with('/') && url.query().is_none(), "the address already has a slash or a query")?;
    let mut longer = url.clone();
    longer.set_path(&format!("{}/", url.path()));
    let redirect = send(&context, "GET", &longer).await?;
    let is_permanent = matches!(redirect.status, 301 | 308);
    ensure(is_permanent, "301 or 308", || demand::seen(&redirect)).about(&redirect)?;
    let target = redirect.header("location").and_then(|target| longer.join(target).ok());
    ensure(target.as_ref() == Some(&url), format!("Location {url}"), || demand::seen(&redirect)).about(&redirect)
}

async fn unknown(context: Context, _: Value) -> Verdict {
    let Page { article, url, .. } = page(&context).await?;
    let slug = demand::text(&article, "slug")?;
    let other = url.as_str().replace(slug, &format!("{slug}{UNKNOWN}"));
    let other = Url::parse(&other).map_err(|error| Halt::Error(error.to_string()))?;
    ensure_met(other != url, "the address of the article does not contain its slug")?;
    let refused = send(&context, "GET", &other).await?;
    demand::status(&refused, 404)?;
    is_html(&refused)
}

async fn methods(context: Context, _: Value) -> Verdict {
    let Page { url, exchange, .. } = page(&context).await?;
    let head = send(&context, "HEAD", &url).await?;
    demand::status(&head, 200)?;
    let media_type = |exchange: &Exchange| exchange.header("content-type").map(str::to_ascii_lowercase);
    ensure(media_type(&head) == media_type(&exchange), "Content-Type as of GET", || demand::seen(&head)).about(&head)?;
    ensure(head.body.is_empty(), "no body", || demand::seen(&head)).about(&head)?;
    let refused = send(&context, "POST", &url).await?;
    demand::status(&refused, 405)?;
    let allowed = refused.header("allow").unwrap_or_default().to_ascii_uppercase();
    let is_listed = ["GET", "HEAD"].iter().all(|method| allowed.split(',').any(|listed| listed.trim() == *method));
    ensure(is_listed, "Allow with GET and HEAD", || demand::seen(&refused)).about(&refused)?;
    is_html(&refused)
}
