//! Websites of another account do not exist.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO: &[Capability] = &[Capability::ISOLATION];

const TWO_PAUSED: &[Capability] = &[Capability::ISOLATION, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.websites.generate",
            "Ordering an article for another account's website is answered 422 website_not_found.",
            SOURCE,
            website,
        )
        .needs(TWO),
        Requirement::must(
            "isolation.websites.core",
            "A key does not order articles for another account's website.",
            "service description, section 5",
            website_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::must(
            "isolation.websites.paused",
            "Ordering an article for another account's paused website is answered 422 website_not_found, too.",
            SOURCE,
            paused,
        )
        .needs(TWO_PAUSED),
    ]
}

async fn website(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    control::ordered_by_other(&context).await
}

async fn paused(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing where nobody writes");
    body["website_id"] = json!(context.facts().inactive_website_id);
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    control::ordered_by_other(&context).await
}

async fn website_in_core(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    demand::refusal(&*context.send(steps::generate(&body).by(Credential::Other)).await?)?;
    control::ordered_by_other(&context).await
}
