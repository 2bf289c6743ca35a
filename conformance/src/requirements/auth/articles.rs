//! An existing article, requested without the right key. For a made-up id a refusal would say nothing about keys.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure_met};
use crate::steps::{self, articles};

/// Values of `Authorization` without the right key. The empty one means no header.
const STRANGERS: [&str; 3] = ["", "Bearer wrong", "Bearer {key}x"];

const KEYS: &[Capability] = &[Capability::NARROW_SCOPE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.articles.refused",
            "Every request has Authorization: Bearer <key>. Without the right key a finished article is not returned.",
            &[Fact("5"), Sentence("Every call of the API carries `Authorization: Bearer <platform key>`.")],
            refused,
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
        .needs(KEYS),
    ]
}

async fn refused(context: Context, topic: Value) -> Verdict {
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
