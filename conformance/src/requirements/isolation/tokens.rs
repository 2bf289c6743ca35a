//! Page tokens of another account.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps::lists;
use crate::steps::lists::POSTS;

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.tokens.account",
            "A page token of another account returns 400 invalid_page_token.",
            &[
                Sentence("It is valid for at least 24 hours, for this list and account."),
                Sentence("The page token is unknown, expired, or has other filters."),
                Sentence("To a key all other data looks as if it did not exist."),
            ],
            token,
        )
        .needs(TWO),
    ]
}

async fn token(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, 2).await?;
    let page = lists::page(&context, POSTS, "limit=1").await?;
    let body = demand::json(&page)?;
    let Some(token) = lists::next_of(body) else {
        return Err(crate::check::Halt::inconclusive("the list of scheduled posts has only one page"));
    };
    let request = POSTS.page(&lists::with_token("limit=1", token)).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 400, &["invalid_page_token"])
}
