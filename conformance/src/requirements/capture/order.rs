//! Order of the checks of the lead form.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::steps::lead_form::request;

const SOURCE: &str = "openapi.yaml, capture_lead, Order of checks";

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const PAUSED: &[Capability] = &[Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.order.checks",
            "Of several faults of a lead form the first in the order decides: website, media type, size, JSON, validation.",
            SOURCE,
            checks,
        )
        .drawn("the size", Cases::Exactly(1), |space, _| json!(space.document().limit_number("capture_body", "maximum")))
        .needs(FORM),
        Requirement::must(
            "capture.order.inactive-website",
            "A lead form of a website that is not active is answered 403 website_inactive, whatever its media type and its body.",
            SOURCE,
            inactive,
        )
        .needs(PAUSED),
    ]
}

/// Sends `body` to the form of a website; the answer must be `status` with `code`.
async fn answered(
    context: &Context,
    website_id: &str,
    (media_type, body): (&str, &str),
    (status, code): (u16, &str),
) -> Result<(), Halt> {
    let form = request(context, "POST", website_id)?.bytes(media_type, body.as_bytes().to_vec());
    let answer = context.send(form).await?;
    demand::problem(&answer, status, &[code]).about(&answer)
}

async fn checks(context: Context, largest: Value) -> Verdict {
    let own = context.facts().website_id.clone();
    let unknown = context.fresh("web_unknown");
    let long = "[".repeat(index_of(&largest) + 1);
    answered(&context, &unknown, ("text/plain", &long), (404, "route_not_found")).await?;
    answered(&context, &own, ("text/plain", &long), (415, "unsupported_media_type")).await?;
    answered(&context, &own, ("application/json", &long), (413, "payload_too_large")).await?;
    answered(&context, &own, ("application/json", "[{}"), (400, "invalid_json")).await?;
    control::captured(&context).await
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    for body in [("text/plain", "x"), ("application/json", "[{}"), ("application/json", "{}")] {
        answered(&context, &website_id, body, (403, "website_inactive")).await?;
    }
    control::captured(&context).await
}
