//! Who may keep an article: the caller alone.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;

const SOURCE: &str = "openapi.yaml, get_article and Article";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.cache.private",
            "An article is served with Cache-Control: private, no-cache, a strong ETag and Last-Modified.",
            SOURCE,
            cache,
        )
        .needs(JOBS),
    ]
}

async fn cache(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let control = demand::header(&article, "cache-control")?;
    ensure(control.contains("private") && control.contains("no-cache"), "Cache-Control: private, no-cache", || {
        control.to_owned()
    })?;
    let tag = demand::header(&article, "etag")?;
    ensure(tag.starts_with('"'), "a strong ETag", || tag.to_owned())?;
    let modified = demand::header(&article, "last-modified")?;
    let parsed = chrono::DateTime::parse_from_rfc2822(modified);
    ensure(parsed.is_ok() && modified.ends_with("GMT"), "an HTTP date in Last-Modified", || modified.to_owned())
}
