//! What a key may do, and a website that takes no articles.
//!
//! Which keys are refused altogether is in `auth`.

use serde_json::{Value, json};

use super::auth::operation;
use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Credential, Request};
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists::{self, ARTICLES};
use super::verdict::{Halt, Verdict, ensure};

const NARROW: &[Capability] = &[Capability::NarrowScope];
const LISTED: &[Capability] = &[Capability::NarrowScope, Capability::Articles, Capability::Jobs];
const INACTIVE: &[Capability] = &[Capability::InactiveWebsite];
const SOURCE: &str = "RFC 6750, section 3.1; openapi.yaml, x-problem-codes";

/// Operations beside `get_article`, by their place in `auth`, and the scope that each needs.
const NEEDED: [(usize, &str); 8] = [
    (0, "generate:write"),
    (2, "jobs:read"),
    (3, "leads:read"),
    (4, "leads:read"),
    (5, "articles:read"),
    (6, "generate:write"),
    (7, "jobs:read"),
    (8, "websites:read"),
];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.scope.insufficient",
            "A key without the scope of an operation gets 403 insufficient_scope, and WWW-Authenticate names the scope.",
            SOURCE,
            insufficient,
        )
        .needs(NARROW)
        .drawn("every operation beside the articles'", Cases::Exactly(7), |_, draw| {
            let others: Vec<usize> = (0..NEEDED.len()).filter(|&index| NEEDED[index].1 != "articles:read").collect();
            json!(others[draw.index() % others.len()])
        }),
        Requirement::must(
            "auth.scope.sufficient",
            "A key with the scope of an operation is let through.",
            SOURCE,
            sufficient,
        )
        .needs(NARROW),
        Requirement::must(
            "pages.token.other-key",
            "A page token belongs to list and account, not to the key: another key of the account goes on with it.",
            "openapi.yaml, PageToken",
            token,
        )
        .needs(LISTED),
        Requirement::must(
            "generate.website.inactive",
            "A website that is paused or archived takes no articles: 403 website_inactive.",
            "openapi.yaml, x-problem-codes",
            inactive,
        )
        .needs(INACTIVE),
    ]
}

async fn insufficient(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let (place, scope) = NEEDED[index % NEEDED.len()];
    let exchange = context.send(operation(&json!(place)).by(Credential::NarrowScope)).await?;
    demand::problem(&exchange, 403, &["insufficient_scope"])?;
    let challenge = exchange.header("www-authenticate").unwrap_or_default();
    let names = challenge.to_ascii_lowercase().starts_with("bearer ")
        && challenge.contains(r#"error="insufficient_scope""#)
        && challenge.contains(&format!("scope=\"{scope}\""));
    ensure(names, format!("WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"{scope}\""), || {
        challenge.to_owned()
    })
}

async fn sufficient(context: Context, _: Value) -> Verdict {
    let unknown = context.fresh("nobody");
    let exchange = context.send(steps::get_article(&unknown).by(Credential::NarrowScope)).await?;
    demand::problem(&exchange, 404, &["article_not_found"])
}

async fn token(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Handing over the keys")).await?;
    let own = Request::clone(&article.request).by(Credential::NarrowScope);
    if context.send(own).await?.status != 200 {
        return Err(Halt::inconclusive("the narrow key does not read the account's articles"));
    }
    steps_lists::ensure_rows(&context, ARTICLES, 3).await?;
    let page = steps_lists::page(&context, ARTICLES, "limit=1").await?;
    let Some(token) = steps_lists::next_of(demand::json(&page)?) else {
        return Err(Halt::inconclusive("the list has one row only"));
    };
    let request = ARTICLES.page(&steps_lists::with_token("limit=1", token));
    let first = context.send(request.clone()).await?;
    demand::status(&first, 200)?;
    let other = context.send(request.by(Credential::NarrowScope)).await?;
    demand::status(&other, 200)?;
    let wanted = json!(ARTICLES.ids(demand::json(&first)?));
    demand::same("the rows for the other key", &wanted, &json!(ARTICLES.ids(demand::json(&other)?)))
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing for a website that rests");
    body["website_id"] = json!(context.facts().inactive_website_id);
    demand::problem(&*context.send(steps::generate(&body)).await?, 403, &["website_inactive"])
}
