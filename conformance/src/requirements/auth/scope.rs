//! Permissions of a key: the operations of its scopes, and the articles of its account.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Request, Requirement, Verdict, demand, ensure_met,
};
use crate::steps::credentials::challenge_with;
use crate::steps::{self, articles, control, operations};
use crate::strategies::Space;

const NARROW: &[Capability] = &[Capability::NARROW_SCOPE];

/// The only scope of the narrow key.
const NARROW_SCOPE: &str = "articles:read";

/// Values of `Authorization` without the right key. The empty one means no header.
const STRANGERS: [&str; 3] = ["", "Bearer wrong", "Bearer {key}x"];

const NARROW_WITH_JOBS: &[Capability] = &[Capability::NARROW_SCOPE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.scope.insufficient",
            "A key without the scope of an operation gets 403 insufficient_scope, and WWW-Authenticate names the scope; HEAD gets 403, too.",
            &[
                Sentence("A call without the scope that its operation requires is refused with 403 `insufficient_scope`."),
                Sentence("If the key was refused, `error` has the reason."),
                Sentence("If a scope is missing, `scope` names it."),
                Sentence(
                    "`x-required-scope` on an operation: the scope that a key needs for it; `x-scopes` of the security scheme lists all scopes.",
                ),
                Sentence("The key lacks the scope or the website is not active."),
                Standard("RFC 6750", "3.1"),
            ],
            insufficient,
        )
        .needs(NARROW)
        .drawn("operations that need another scope", Cases::Listed(|space| needed(space).len()), |space, draw| {
            let all = needed(space);
            all[draw.index() % all.len()].clone()
        }),
        Requirement::new(
            "auth.scope.sufficient",
            "A key with the scope of an operation may call it.",
            &[
                Part("/components/securitySchemes/platform_key/x-scopes/articles:read"),
                Part("/paths/~1api~1v1~1articles~1{id}/get/x-required-scope"),
            ],
            sufficient,
        )
        .needs(NARROW),
        Requirement::new(
            "auth.articles.refused",
            "Every request has Authorization: Bearer <key>. Without the right key a finished article is not returned.",
            &[Fact("5"), Sentence("Every call of the API carries `Authorization: Bearer <platform key>`.")],
            refused_to_strangers,
        )
        .core()
        .drawn("no key and wrong keys", Cases::Exactly(1), |_, _| json!("Sharing a garden fence")),
        Requirement::new(
            "auth.articles.any-key",
            "An article is the same for every key of its account that may read articles.",
            &[
                Sentence("Apart from scopes and this restriction all keys of an account see the same data."),
                Sentence("It has scopes and may be restricted to some websites."),
                Part("/components/securitySchemes/platform_key/x-scopes/articles:read"),
            ],
            any_key,
        )
        .needs(NARROW_WITH_JOBS),
    ]
}

/// Returns `{operation, scope}` for each operation that needs another scope than the narrow key has.
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
    challenge_with(&exchange, "error", "insufficient_scope")?;
    challenge_with(&exchange, "scope", scope)?;
    if request.method == "GET" {
        let head = Request::outside("HEAD", &exchange.request.path).by(Credential::NarrowScope);
        demand::status(&*context.send(head).await?, 403)?;
    }
    control::keyed(&context, request).await
}

async fn sufficient(context: Context, _: Value) -> Verdict {
    let unknown = context.fresh("nobody");
    let exchange = context.send(steps::get_article(&unknown).by(Credential::NarrowScope)).await?;
    demand::problem(&exchange, 404, &["article_not_found"])?;
    // The narrow key also reads an existing article, if both belong to one account.
    let ids = control::article(&context).await?;
    let id = ids.first().map(String::as_str).unwrap_or_default();
    control::accepted(&context, steps::get_article(id).by(Credential::NarrowScope)).await
}

async fn refused_to_strangers(context: Context, topic: Value) -> Verdict {
    for id in articles::readable_about(&context, topic.as_str().unwrap_or_default()).await? {
        for header in STRANGERS {
            let credential = match header {
                "" => Credential::None,
                header => Credential::Literal(vec![header.to_owned()]),
            };
            demand::refusal(&*context.send(steps::get_article(&id).by(credential)).await?)?;
        }
    }
    Ok(())
}

async fn any_key(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Sharing a garden gate");
    body["metadata"] = json!({ "gate": "garden" });
    let (_, own) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&own)?, "id")?;
    let other = context.send(steps::get_article(id).by(Credential::NarrowScope)).await?;
    ensure_met(other.status == 200, "the narrow key does not read the account's articles")?;
    demand::same("the article", demand::json(&own)?, demand::json(&other)?).about(&other)
}
