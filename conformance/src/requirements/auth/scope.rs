//! What a key may do.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::{control, operations};
use crate::strategies::Space;

const NARROW: &[Capability] = &[Capability::NARROW_SCOPE];

const SOURCE: &str = "RFC 6750, section 3.1; openapi.yaml, x-problem-codes";

/// What the narrow key may do.
const NARROW_SCOPE: &str = "articles:read";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.scope.insufficient",
            "A key without the scope of an operation gets 403 insufficient_scope, and WWW-Authenticate names the scope.",
            SOURCE,
            insufficient,
        )
        .needs(NARROW)
        .drawn("every operation beside the articles'", Cases::Listed(|space| needed(space).len()), |space, draw| {
            let all = needed(space);
            all[draw.index() % all.len()].clone()
        }),
        Requirement::must(
            "auth.scope.sufficient",
            "A key that has the scope of an operation may call it.",
            SOURCE,
            sufficient,
        )
        .needs(NARROW),
    ]
}

/// `{operation, scope}` for each operation that takes another scope than the narrow key has.
fn needed(space: &Space) -> Vec<Value> {
    let all = space.document().keyed_operations();
    all.filter_map(|operation| Some((operation.id, operation.scope.as_deref()?)))
        .filter(|(_, scope)| *scope != NARROW_SCOPE)
        .map(|(operation, scope)| json!({ "operation": operation, "scope": scope }))
        .collect()
}

async fn insufficient(context: Context, case: Value) -> Verdict {
    let scope = demand::text(&case, "scope")?;
    let request = operations::made_up(operations::of_case(&context, &case)?);
    let exchange = context.send(request.clone().by(Credential::NarrowScope)).await?;
    demand::problem(&exchange, 403, &["insufficient_scope"])?;
    let challenge = exchange.header("www-authenticate").unwrap_or_default();
    let names = challenge.to_ascii_lowercase().starts_with("bearer ")
        && challenge.contains(r#"error="insufficient_scope""#)
        && challenge.contains(&format!("scope=\"{scope}\""));
    ensure(names, format!("WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"{scope}\""), || {
        challenge.to_owned()
    })?;
    control::keyed(&context, request).await
}

async fn sufficient(context: Context, _: Value) -> Verdict {
    let unknown = context.fresh("nobody");
    let exchange = context.send(steps::get_article(&unknown).by(Credential::NarrowScope)).await?;
    demand::problem(&exchange, 404, &["article_not_found"])?;
    // An article that is there is read with this key, too, where it is one of the same account.
    let ids = control::article(&context).await?;
    let id = ids.first().map(String::as_str).unwrap_or_default();
    control::accepted(&context, steps::get_article(id).by(Credential::NarrowScope)).await
}
