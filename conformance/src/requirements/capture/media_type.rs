//! Media types of the lead form: JSON and form-encoded forms mean the same, and others are refused.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::forms;
use crate::steps::forms::{AGREEING, ensure_kept, flattened, pairs, sent, unfilled};
use crate::steps::lead_form::{captured, captured_by, is_trapped, never, request, url_encoded};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Number of short campaign parameters: more than `fields` may have entries.
const PARAMETERS: usize = 40;

/// Length of one more campaign parameter: longer than a text in `fields` may be.
const LONG: usize = 3_000;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.media-type.refused",
            "A lead form without a media type, with one that is not among the three of the document, or with a Content-Encoding gets 415 unsupported_media_type, and no lead is stored.",
            &[
                Sentence("The body is neither JSON nor a form."),
                Sentence("The body is not `application/json`, or has no Content-Type."),
                Sentence("A charset parameter is allowed, a `Content-Encoding` is not."),
                Sentence("The lead form takes forms, too."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Part("/paths/~1capture~1{website_id}/post/requestBody/content"),
            ],
            other_media_types,
        )
        .needs(FORM),
        Requirement::new(
            "capture.json.whole",
            "A lead contains everything that the form sent: company, phone, fields, source, consent, and a campaign with many parameters, of which one is long.",
            &[
                Sentence("Takes the form of a published page and stores a lead."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
                Sentence("Telephone number in E.164 if the service understood it, otherwise `phone_typed`."),
                Sentence("It needs no key."),
                Sentence("No key is needed."),
                Sentence("Only the size of the form limits them."),
                Part("/components/schemas/Lead/properties"),
            ],
            whole,
        )
        .needs(FORM),
        Requirement::new(
            "capture.json.malformed",
            "A lead form sent as JSON that is not one object gets 400 invalid_json, and no lead is stored.",
            &[
                Sentence("The body is not one JSON object."),
                Sentence("A JSON body is not exactly one object, a form is malformed, or a header is malformed."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            malformed,
        )
        .needs(FORM),
        Requirement::new(
            "capture.form.like-json",
            "A lead form is accepted as JSON and form-encoded; in a form, names with utm_ go into source.utm and unknown names into fields.",
            &[
                Sentence("A name `utm_NAME` becomes `source.utm.NAME`."),
                Sentence("Campaign parameters by name, without the prefix `utm_`."),
                Sentence("Any other name that this schema does not list becomes one of `fields`, with the bounds of `LeadFields`."),
                Sentence("The same content makes the same lead in each of the three media types."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
            ],
            like_json,
        )
        .needs(FORM),
        Requirement::new(
            "capture.form.empty-values",
            "An empty value in a form is ignored, whatever its name: the field was not filled in. An empty `_hp` is not a reason for spam.",
            &[Sentence("An empty value means that the field was not filled in."), Sentence("It is ignored.")],
            empty_values,
        )
        .needs(FORM),
        Requirement::new(
            "capture.form.repeated",
            "If a form contains a name several times, its values are joined with a comma and a space, in their order; empty values are left out.",
            &[
                Sentence("The values of a repeated name are joined with `, ` in their order."),
                Sentence("An empty value means that the field was not filled in."),
            ],
            repeated,
        )
        .needs(FORM),
        Requirement::new(
            "capture.form.consent",
            "In a form only the values true, on, 1 and yes give consent; among several values one of these is enough.",
            &[
                Sentence("Agreed if the value is `true`, `on`, `1` or `yes`."),
                Sentence("Any other value or no value means not agreed."),
                Sentence("For `consent` one agreeing value is enough."),
                Sentence("If it is null or absent, leads need no consent."),
                Sentence("The lead keeps the shown text unchanged."),
            ],
            consent,
        )
        .needs(FORM),
    ]
}

async fn other_media_types(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("typed");
    let body = json!({ "email": format!("{marker}@example.com") }).to_string().into_bytes();
    for media_type in ["text/plain", "application/xml", "multipart/mixed; boundary=x", ""] {
        let mut form = request(&context, "POST", &context.facts().website_id)?.bytes(media_type, body.clone());
        form.headers.retain(|(_, value)| !value.is_empty());
        let response = context.send(form).await?;
        demand::problem(&response, 415, &["unsupported_media_type"])?;
    }
    let coded = request(&context, "POST", &context.facts().website_id)?.bytes("application/json", body);
    let response = context.send(coded.header("content-encoding", "gzip")).await?;
    demand::problem(&response, 415, &["unsupported_media_type"])?;
    never(&context, &marker).await
}

async fn whole(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("whole");
    let mut body = sent(&marker);
    body["source"]["utm"]["content"] = json!("c".repeat(LONG));
    for number in 0..PARAMETERS {
        body["source"]["utm"][format!("parameter_{number}")] = json!("p");
    }
    let lead = captured(&context, &marker, &body).await?;
    ensure_kept(&lead, &body)?;
    demand::same("source.utm", &body["source"]["utm"], &lead["source"]["utm"])
}

async fn malformed(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("broken");
    let email = format!("\"email\": \"{marker}@example.com\"");
    for body in [format!("{{{email}"), format!("[{{{email}}}]"), format!("{{{email}}} x"), String::new()] {
        let form = request(&context, "POST", &context.facts().website_id)?;
        let answer = context.send(form.bytes("application/json", body.into_bytes())).await?;
        demand::problem(&answer, 400, &["invalid_json"])?;
    }
    never(&context, &marker).await
}

async fn like_json(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("flat");
    let body = sent(&marker);
    let lead = captured_by(&context, &marker, url_encoded(&context, &flattened(&body))?).await?;
    ensure_kept(&lead, &body)
}

async fn empty_values(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("unfilled");
    let lead = captured_by(&context, &marker, url_encoded(&context, &unfilled(&marker))?).await?;
    for name in ["name", "company", "phone", "message"] {
        demand::same(name, &Value::Null, &lead[name])?;
    }
    demand::same("fields", &json!({}), &lead["fields"])?;
    ensure(!is_trapped(&lead), "no reason trap_filled", || demand::brief(&lead["spam"]))
}

async fn repeated(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("repeated");
    let lead = captured_by(&context, &marker, url_encoded(&context, &forms::repeated(&marker))?).await?;
    ensure_joined(&lead)
}

/// Demands that the lead of `forms::repeated` has all values in their order.
pub(crate) fn ensure_joined(lead: &Value) -> Verdict {
    demand::same("message", &json!("b, a"), &lead["message"])?;
    demand::same("fields", &json!({ "sizes": "6, 4, 6" }), &lead["fields"])?;
    demand::same("source.utm", &json!({ "source": "x, y" }), &lead["source"]["utm"])
}

async fn consent(context: Context, _: Value) -> Verdict {
    let text = "You may write to me.";
    let agreeing = AGREEING.iter().map(|value| (vec![("consent", *value)], true));
    let cases = agreeing.chain([
        (vec![("consent", "off")], false),
        (vec![("consent", "no"), ("consent_given", "on")], false),
        (vec![("consent", "yes"), ("consent", "no")], true),
        (vec![("consent", "no"), ("consent", "yes")], true),
    ]);
    for (values, expected) in cases {
        let marker = context.fresh("agreed");
        let email = format!("{marker}@example.com");
        let mut form = pairs(&[("email", email.as_str()), ("consent_text", text)]);
        form.extend(pairs(&values));
        let request = url_encoded(&context, &form)?;
        let lead = captured_by(&context, &marker, request).await?;
        ensure(lead["consent"]["given"] == expected, format!("consent.given {expected} of {values:?}"), || {
            demand::brief(&lead["consent"])
        })?;
        demand::same("consent.text", &json!(text), &lead["consent"]["text"])?;
    }
    Ok(())
}
