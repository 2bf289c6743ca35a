//! Order of the checks of the lead form.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand};
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::steps::large_bodies;
use crate::steps::lead_form::request;

const SOURCES: &[Source] = &[
    Sentence("**Order of checks.** Route, method, rate, website, media type, size, JSON, validation."),
    Sentence("An unknown website is 404, an inactive one 403."),
];

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const PAUSED: &[Capability] = &[Capability::LEAD_FORM, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.order.checks",
            "If a lead form has several faults, the first one in this order decides: website, media type, size, JSON.",
            SOURCES,
            checks,
        )
        .drawn("the size", Cases::Exactly(1), |space, _| json!(space.document().limit_number("capture_body", "maximum")))
        .needs(FORM),
        Requirement::new(
            "capture.order.inactive-website",
            "A lead form of a website that is not active gets 403 website_inactive, whatever its media type and its body.",
            SOURCES,
            inactive,
        )
        .needs(PAUSED),
    ]
}

/// Sends `body` to the form of a website, and demands a problem with `status` and `code`.
async fn ensure_refused(
    context: &Context,
    website_id: &str,
    (media_type, body): (&str, &str),
    (status, code): (u16, &str),
) -> Result<(), Halt> {
    let form = request(context, "POST", website_id)?.bytes(media_type, body.as_bytes().to_vec());
    let response = large_bodies::send(context, form).await?;
    demand::problem(&response, status, &[code])
}

async fn checks(context: Context, largest: Value) -> Verdict {
    let own = context.facts().website_id.clone();
    let unknown = context.fresh("web_unknown");
    let long = "[".repeat(index_of(&largest) + 1);
    ensure_refused(&context, &unknown, ("text/plain", &long), (404, "route_not_found")).await?;
    ensure_refused(&context, &own, ("text/plain", &long), (415, "unsupported_media_type")).await?;
    ensure_refused(&context, &own, ("application/json", &long), (413, "payload_too_large")).await?;
    ensure_refused(&context, &own, ("application/json", "[{}"), (400, "invalid_json")).await?;
    control::captured(&context).await
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    for body in [("text/plain", "x"), ("application/json", "[{}"), ("application/json", "{}")] {
        ensure_refused(&context, &website_id, body, (403, "website_inactive")).await?;
    }
    control::captured(&context).await
}
