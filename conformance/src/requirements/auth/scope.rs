//! What a key may do.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::credentials::operation;

const NARROW: &[Capability] = &[Capability::NARROW_SCOPE];

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

pub(crate) fn requirements() -> Vec<Requirement> {
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
