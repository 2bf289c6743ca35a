//! Caching headers of an article.

use serde_json::Value;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.cache.private",
            "The response with an article has Cache-Control with private and no-cache, and a strong ETag. Last-Modified, if present, is an HTTP date.",
            &[
                Sentence(
                    "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors.",
                ),
                Sentence("Strong validator of this representation."),
                Sentence("When the article last changed, as an HTTP date."),
                Part("/paths/~1api~1v1~1articles~1{id}/get/responses/200/headers/Last-Modified"),
                Standard("RFC 9110", "5.6.7"),
            ],
            cache,
        )
        .needs(JOBS),
    ]
}

async fn cache(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let control = header_fields::joined(&article.headers, "cache-control");
    let is_private = ["private", "no-cache"].iter().all(|name| header_fields::has_directive(&control, name));
    ensure(is_private, "Cache-Control: private, no-cache", || control.clone())?;
    let tag = demand::header(&article, "etag")?;
    ensure(tag.starts_with('"'), "a strong ETag", || tag.to_owned())?;
    let Some(modified) = article.header("last-modified") else { return Ok(()) };
    let parsed = chrono::DateTime::parse_from_rfc2822(modified);
    ensure(parsed.is_ok() && modified.ends_with("GMT"), "an HTTP date in Last-Modified", || modified.to_owned())
}
