//! A lead form sent as a form is the same as one sent as JSON.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::forms::sent;
use crate::steps::lead_form;

const SOURCE: &str = "openapi.yaml, x-capture";

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// How a form calls what JSON nests; names that the document does not spell out are left alone.
const FLAT: [(&str, &str); 9] = [
    ("email", "/email"),
    ("name", "/name"),
    ("company", "/company"),
    ("phone", "/phone"),
    ("message", "/message"),
    ("size", "/fields/size"),
    ("when", "/fields/when"),
    ("utm_source", "/source/utm/source"),
    ("utm_campaign", "/source/utm/campaign"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.form.like-json",
            "A lead form is accepted as JSON and form-encoded; in a form, names with utm_ go into source.utm and unknown names into fields.",
            SOURCE,
            like_json,
        )
        .needs(FORM),
    ]
}

fn flattened(body: &Value) -> Vec<u8> {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    for (name, place) in FLAT {
        form.append_pair(name, body.pointer(place).and_then(Value::as_str).unwrap_or_default());
    }
    form.finish().into_bytes()
}

async fn like_json(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("flat");
    let body = sent(&marker);
    let request = lead_form::request(&context, "POST", &context.facts().website_id)?;
    let request = request.bytes("application/x-www-form-urlencoded", flattened(&body));
    demand::status(&*context.send(request).await?, 202)?;
    let lead = lead_form::awaited(&context, &marker, 1).await?.remove(0);
    for (name, place) in FLAT {
        let told = lead.pointer(place).unwrap_or(&Value::Null);
        demand::same(name, body.pointer(place).unwrap_or(&Value::Null), told)?;
    }
    Ok(())
}
