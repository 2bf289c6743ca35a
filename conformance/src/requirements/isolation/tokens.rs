//! Page tokens of another account lead nowhere.

use serde_json::Value;

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps::lists;
use crate::steps::lists::POSTS;

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.tokens.account",
            "A page token of another account is answered 400 invalid_page_token.",
            "openapi.yaml, PageToken",
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
        return Err(crate::check::Halt::inconclusive("the pipeline has one page only"));
    };
    let request = POSTS.page(&lists::with_token("limit=1", token)).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 400, &["invalid_page_token"])
}
