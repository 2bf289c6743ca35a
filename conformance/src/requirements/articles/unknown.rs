//! Reading an unknown article.

use serde_json::Value;

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::spec::Profile;
use crate::steps::control;
use crate::steps::operations::{unknown_id, unknown_refused};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.unknown.not-found",
            "GET /articles/{id} with an unknown id returns 404 article_not_found, or any 4xx if the id contains NUL, a slash, a backslash, a semicolon or bytes that are not UTF-8. In core it returns anything but 2xx.",
            &[
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("There is no article with this id, none yet, or there never will be one."),
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Fact("4.2"),
                Standard("RFC 9110", "15.3.1"),
            ],
            unknown,
        )
        .core()
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_article", draw)),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    // The drawn segment is already percent-encoded.
    let segment = id.as_str().unwrap_or("x");
    let exchange = context.send(Request::new("get_article", "GET", &format!("/articles/{segment}"))).await?;
    if context.document().profile() == Profile::Core {
        demand::refusal(&exchange)?;
    } else {
        unknown_refused(&exchange, segment, "article_not_found")?;
    }
    control::article(&context).await.map(drop)
}
