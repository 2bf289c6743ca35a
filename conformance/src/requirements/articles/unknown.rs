//! An id that names no article.

use serde_json::Value;

use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::spec::Profile;
use crate::steps::control;
use crate::steps::operations::unknown_id;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.unknown.not-found",
            "GET /articles/{id} with an id that names no article is answered 404 article_not_found, whatever the id looks like; in core it is not 2xx.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .core()
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_article", draw)),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    // As drawn: the segment is percent-encoded already.
    let path = format!("/articles/{}", id.as_str().unwrap_or("x"));
    let exchange = context.send(Request::new("get_article", "GET", &path)).await?;
    if context.document().profile() == Profile::Core {
        demand::refusal(&exchange)?;
    } else {
        demand::problem(&exchange, 404, &["article_not_found"])?;
    }
    control::article(&context).await.map(drop)
}
