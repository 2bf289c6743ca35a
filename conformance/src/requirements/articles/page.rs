//! Pages of articles on the service itself: addresses, methods, canonical links and conditional requests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::status::{is_html, page_request};
use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Context, Exchange, Halt, Look, Requirement, Verdict, demand, ensure, ensure_met, html,
};
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
                Sentence("An `url` with the origin of the API is such an address."),
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
                Sentence("An address like that of a page, but with an unknown slug, is answered with 404."),
                Sentence("Errors of pages are HTML pages, because readers see them."),
                Sentence("Only the lead form, addresses of pages and others below the same folder may answer with a page."),
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
        Requirement::new(
            "articles.page.canonical",
            "If url of an article is an address of the API's server, the page's canonical link is canonical_url of the article.",
            &[
                Sentence("The page names `canonical_url` of the article as its canonical link, unless the address of the website or of the service changed after publication."),
                Sentence("Address that search engines should index."),
                Standard("RFC 6596", "3"),
            ],
            canonical,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.page.conditional",
            "If url of an article is an address of the API's server and its page has Last-Modified, the response to If-Modified-Since with that date is 304, and with an earlier date, or with If-None-Match of another tag, 200.",
            &[
                Sentence(
                    "If the page has `Last-Modified` and the request has no `If-None-Match`, the answer to `If-Modified-Since` with that date is 304 while the page is unchanged.",
                ),
                Standard("RFC 9110", "13.1.3"),
                Standard("RFC 9110", "13.2.2"),
            ],
            conditional,
        )
        .needs(JOBS)
        .background(),
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
    let address = &url;
    let look = || async move {
        let exchange = send(context, "GET", address).await?;
        ensure_met(!(300..400).contains(&exchange.status), "the address of the article redirects")?;
        let shown = demand::status(&exchange, 200);
        Ok(shown.map_or_else(Look::NotYet, |()| Look::Found(exchange)))
    };
    // The page may appear a moment after the article is published.
    let exchange = context.eventually(context.grace(), look).await?;
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
    ensure(media_type(&head) == media_type(&exchange), "Content-Type as of GET", || demand::seen(&head))
        .about(&head)?;
    ensure(head.body.is_empty(), "no body", || demand::seen(&head)).about(&head)?;
    let refused = send(&context, "POST", &url).await?;
    demand::status(&refused, 405)?;
    let allowed = refused.header("allow").unwrap_or_default().to_ascii_uppercase();
    let is_listed = ["GET", "HEAD"].iter().all(|method| allowed.split(',').any(|listed| listed.trim() == *method));
    ensure(is_listed, "Allow with GET and HEAD", || demand::seen(&refused)).about(&refused)?;
    is_html(&refused)
}

async fn canonical(context: Context, _: Value) -> Verdict {
    let Page { article, url, exchange } = page(&context).await?;
    ensure_met(article["canonical_url"].is_string(), "the article has no canonical_url")?;
    let links = html::canonical_links(&String::from_utf8_lossy(&exchange.body));
    let resolved = |link: &str| url.join(link).ok();
    let expected = resolved(demand::text(&article, "canonical_url")?);
    let is_named = !links.is_empty() && links.iter().all(|link| resolved(link) == expected);
    let expected = format!("the canonical link {}", demand::brief(&article["canonical_url"]));
    ensure(is_named, expected, || links.join(", ")).about(&exchange)
}

/// Time after publication in which a page may lack `Last-Modified`, because it may change again in the same second.
const YOUNG: Duration = Duration::from_secs(20);

async fn conditional(context: Context, _: Value) -> Verdict {
    let Page { url, .. } = page(&context).await?;
    let (context, url) = (&context, &url);
    let look = || async move {
        let exchange = send(context, "GET", url).await?;
        let date = exchange.header("last-modified").map(str::to_owned);
        Ok(Look::found_or(date, || Halt::inconclusive("the page has no Last-Modified")))
    };
    let date = context.eventually(YOUNG, look).await?;
    let ask = async |headers: &[(&str, &str)]| {
        let request = page_request(context, "GET", url)?;
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, *value));
        context.send(request).await
    };
    let unchanged = ask(&[("If-Modified-Since", &date)]).await?;
    // Another article or a setting may have changed the page meanwhile.
    ensure_met(
        unchanged.status == 304 || unchanged.header("last-modified") == Some(date.as_str()),
        "the page changed from one request to the next",
    )?;
    demand::status(&unchanged, 304)?;
    let changed = ask(&[("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]).await?;
    demand::status(&changed, 200)?;
    let other = ask(&[("If-Modified-Since", &date), ("If-None-Match", "\"no-page-has-it\"")]).await?;
    demand::status(&other, 200)
}
