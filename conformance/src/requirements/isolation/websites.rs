//! Websites of another account do not exist.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO: &[Capability] = &[Capability::ISOLATION];

const TWO_PAUSED: &[Capability] = &[Capability::ISOLATION, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.websites.generate",
            "Another account's website is refused with 422 website_not_found.",
            SOURCE,
            website,
        )
        .needs(TWO),
        Requirement::must(
            "isolation.websites.core",
            "One account's key does not write for another account's website.",
            "service description, section 5",
            website_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::must(
            "isolation.websites.paused",
            "Another account's website is refused with 422 website_not_found also when it is paused: nobody else learns that.",
            SOURCE,
            paused,
        )
        .needs(TWO_PAUSED),
    ]
}

async fn website(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])
}

async fn paused(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing where nobody writes");
    body["website_id"] = json!(context.facts().inactive_website_id);
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])
}

async fn website_in_core(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    demand::refusal(&*context.send(steps::generate(&body).by(Credential::Other)).await?)
}
