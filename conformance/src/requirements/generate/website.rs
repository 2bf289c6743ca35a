//! For which websites articles can be ordered.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;

const INACTIVE: &[Capability] = &[Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.website.unknown",
            "A website_id that is unknown is refused with 422 website_not_found, pointer #/website_id.",
            "openapi.yaml, x-problem-codes",
            unknown_website,
        )
        .drawn("ids that name no website", Cases::Divided(8), |_, draw| {
            let id: String = draw.value(&"[A-Za-z0-9_-]{1,128}");
            json!(format!("x{id}").chars().take(128).collect::<String>())
        }),
        Requirement::must(
            "generate.website.inactive",
            "A website that is paused or archived takes no articles: 403 website_inactive.",
            "openapi.yaml, x-problem-codes",
            inactive,
        )
        .needs(INACTIVE),
    ]
}

async fn unknown_website(context: Context, id: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "A topic for nobody");
    body["website_id"] = id;
    let exchange = context.send(steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    let errors = &demand::json(&exchange)?["errors"];
    demand::same("pointer", &json!("#/website_id"), &errors[0]["pointer"])
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing for a website that rests");
    body["website_id"] = json!(context.facts().inactive_website_id);
    demand::problem(&*context.send(steps::generate(&body)).await?, 403, &["website_inactive"])
}
