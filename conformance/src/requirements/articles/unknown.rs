//! An id that names no article.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::spec::Profile;
use crate::strategies::{Draw, hostile_id};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.unknown.not-found",
            "An id that names nothing is 404 article_not_found, whatever it looks like; in core it is no success.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .core()
        .drawn("ids that name nothing", Cases::Searched, |_, draw: &mut Draw| json!(draw.value(&hostile_id()))),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    // As drawn: the segment is percent-encoded already.
    let path = format!("/articles/{}", id.as_str().unwrap_or("x"));
    let exchange = context.send(Request::new("get_article", "GET", &path)).await?;
    if context.document().profile() == Profile::Core {
        return demand::refusal(&exchange);
    }
    demand::problem(&exchange, 404, &["article_not_found"])
}
