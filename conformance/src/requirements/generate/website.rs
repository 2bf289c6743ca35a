//! For which websites articles can be ordered.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;

const INACTIVE: &[Capability] = &[Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.website.unknown",
            "An unknown website_id is answered 422 website_not_found with pointer #/website_id.",
            "openapi.yaml, x-problem-codes",
            unknown_website,
        )
        .drawn("ids that name no website", Cases::Divided(8), |_, draw| {
            let id: String = draw.value(&"[A-Za-z0-9_-]{1,128}");
            json!(format!("x{id}").chars().take(128).collect::<String>())
        }),
        Requirement::must(
            "generate.website.inactive",
            "A request for a website that is paused or archived is answered 403 website_inactive.",
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
    demand::same("pointer", &json!("#/website_id"), &errors[0]["pointer"])?;
    control::ordered(&context).await
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing for a website that rests");
    body["website_id"] = json!(context.facts().inactive_website_id);
    demand::problem(&*context.send(steps::generate(&body)).await?, 403, &["website_inactive"])?;
    control::ordered(&context).await
}
