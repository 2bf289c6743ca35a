//! An article that is there, asked for without the key: what is refused elsewhere might just not exist.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Credential, Requirement, Verdict, demand, ensure_met};
use crate::steps::{self, articles};

/// Headers that a stranger sends; none at all is the first case.
const STRANGERS: [&str; 3] = ["", "Bearer wrong", "Bearer {key}x"];

const KEYS: &[Capability] = &[Capability::NARROW_SCOPE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.articles.refused",
            "Every call carries Authorization: Bearer <API_KEY>; without the right key a finished article is not returned.",
            "service description, section 5",
            refused,
        )
        .core()
        .drawn("no key and wrong ones", Cases::Exactly(1), |_, _| json!("Sharing a garden fence")),
        Requirement::must(
            "auth.articles.any-key",
            "A key says who may read: an article is the same for every key of its account that may read articles.",
            "openapi.yaml, info.description, Authorisation, and get_article",
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
