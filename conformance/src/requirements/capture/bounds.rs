//! Bounds of the lead form: lengths, counts, types and the size in bytes.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::forms::{at_bound, fields, flattened, packed};
use crate::steps::lead_form::{self, captured, multipart, never, request, send, url_encoded};
use crate::strategies::Space;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const BEYOND: &[Source] = &[
    Part("/components/schemas/LeadCapture/properties"),
    Part("/components/schemas/LeadFields"),
    Part("/components/schemas/LeadCaptureSource/properties"),
    Part("/components/schemas/LeadCaptureConsent"),
    Sentence("The request breaks the schema."),
    Sentence("The lead is not valid."),
    NOTHING_STORED,
];

const MAXIMA: &[Source] = &[
    Part("/components/schemas/LeadCapture/properties"),
    Part("/components/schemas/LeadFields"),
    Part("/components/schemas/LeadCaptureSource/properties"),
    Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
];

/// Number of further fields over which a form's bytes are spread.
const FIELDS: usize = 14;

const NOTHING_STORED: Source = Sentence("A refused request makes and changes no job, article, scheduled post or lead.");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.bounds.refused",
            "A lead form with a text that is too long or too short, a number out of range, or too many fields gets 422, and no lead is stored.",
            BEYOND,
            beyond_bounds,
        )
        .drawn("one beyond every bound of the form", Cases::Exactly(1), |space, _| bounds(space, "refused"))
        .needs(FORM),
        Requirement::new(
            "capture.bounds.forms",
            "The bounds of texts and fields hold in form-encoded and multipart lead forms, too: beyond one the response is 422, and no lead is stored.",
            &[
                Part("/components/schemas/LeadForm/properties"),
                Sentence("Any other name that this schema does not list becomes one of `fields`, with the bounds of `LeadFields`."),
                Sentence("The same content makes the same lead in each of the three media types."),
                NOTHING_STORED,
            ],
            beyond_bounds_of_forms,
        )
        .drawn("one beyond every bound of the form", Cases::Exactly(1), |space, _| {
            // In a form an empty value counts as absent, and a required field is no bound of one value.
            let is_filled = |bound: &&Value| bound["length"].as_u64() > Some(0);
            space.form_bounds().iter().filter(|bound| bound["as"] == "refused").filter(is_filled).cloned().collect()
        })
        .needs(FORM),
        Requirement::new(
            "capture.bounds.maxima",
            "A lead form with texts of the maximum or minimum length, counted in code points, is accepted and stored completely.",
            MAXIMA,
            maxima,
        )
        .drawn("every bound of the form", Cases::Exactly(1), |space, _| {
            json!({
                "bounds": bounds(space, "taken"),
                "bytes": space.document().limit_number("capture_body", "maximum"),
            })
        })
        .needs(FORM),
        Requirement::new(
            "capture.types.refused",
            "In JSON a value of the wrong type gets 422, and no lead is stored: numbers and null for texts, texts and numbers for consent, consent without given.",
            &[
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
                Sentence("It refuses `null` in a known field: leave the field out."),
                NOTHING_STORED,
                Part("/components/schemas/LeadCapture/properties"),
                Part("/components/schemas/LeadFields/additionalProperties"),
                Part("/components/schemas/LeadCaptureConsent"),
            ],
            wrong_types,
        )
        .needs(FORM),
        Requirement::new(
            "capture.size.limit",
            "A lead form over 16 KiB gets 413, and no lead is stored; one of exactly 16 KiB is accepted.",
            &[
                Sentence("The body is larger than 64 KiB, or 16 KiB for a lead form."),
                NOTHING_STORED,
                Part("/x-limits/capture_body/maximum"),
            ],
            size,
        )
        .drawn("the limits", Cases::Exactly(1), |space, _| parts(space))
        .needs(FORM),
    ]
}

fn bounds(space: &Space, kind: &str) -> Value {
    space.form_bounds().iter().filter(|bound| bound["as"] == kind).cloned().collect()
}

async fn beyond_bounds(context: Context, bounds: Value) -> Verdict {
    let marker = context.fresh("bound");
    for bound in bounds.as_array().into_iter().flatten() {
        let response = send(&context, &at_bound(&marker, bound)).await?;
        demand::problem(&response, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}

async fn beyond_bounds_of_forms(context: Context, bounds: Value) -> Verdict {
    let marker = context.fresh("bound");
    let forms = bounds.as_array().into_iter().flatten().map(|bound| flattened(&at_bound(&marker, bound)));
    for (number, form) in forms.enumerate() {
        let form = if number.is_multiple_of(2) {
            url_encoded(&context, &form)?
        } else {
            multipart(
                &context,
                &form.iter().map(|(name, value)| lead_form::Part::text(name, value)).collect::<Vec<_>>(),
            )?
        };
        demand::problem(&*context.send(form).await?, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}

async fn maxima(context: Context, case: Value) -> Verdict {
    for (person, form, places) in packed(&context, &case) {
        let lead = captured(&context, &person, &form).await?;
        for place in places {
            ensure_unchanged(&form, &lead, &place)?;
        }
    }
    Ok(())
}

fn ensure_unchanged(sent: &Value, lead: &Value, place: &str) -> Verdict {
    let [sent, kept] = [sent, lead].map(|value| value.pointer(place).unwrap_or(&Value::Null));
    ensure(sent == kept, format!("{place} unchanged"), || demand::instead(sent, kept))
}

/// Fields with a value of the wrong type.
fn of_wrong_type() -> [(&'static str, Value); 9] {
    [
        ("name", json!(7)),
        ("phone", json!(442_079_460_000_i64)),
        ("message", Value::Null),
        ("fields", json!({ "loaves": 6 })),
        ("fields", json!([])),
        ("consent", json!({ "given": "true" })),
        ("consent", json!({ "given": 1 })),
        ("consent", json!({ "text": "You may write to me." })),
        ("source", json!("newsletter")),
    ]
}

async fn wrong_types(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("typed");
    for (number, (name, value)) in of_wrong_type().into_iter().enumerate() {
        let mut body = json!({ "email": format!("{number}-{marker}@example.com") });
        body[name] = value;
        let exchange = send(&context, &body).await?;
        demand::problem(&exchange, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}

/// Returns the limits from which the largest form is built.
fn parts(space: &Space) -> Value {
    let document = space.document();
    let longest = |schema: &str, place: &str| document.schema(schema).pointer(place).cloned();
    json!({
        "bytes": document.limit_number("capture_body", "maximum"),
        "message": longest("LeadCapture", "/properties/message/maxLength"),
        "field": longest("LeadFields", "/additionalProperties/maxLength"),
    })
}

/// Returns a form of exactly that many bytes, with each part within its bounds.
fn of_size(marker: &str, parts: &Value, bytes: usize) -> Result<Value, Halt> {
    let mut body = json!({
        "email": format!("{marker}@example.com"),
        "message": "\u{416}".repeat(index_of(&parts["message"]).min(bytes / 4)),
        "fields": fields(FIELDS, ""),
    });
    let mut left = bytes.saturating_sub(body.to_string().len());
    for number in 0..FIELDS {
        let length = left.min(index_of(&parts["field"]));
        body["fields"][format!("field_{number}")] = json!("f".repeat(length));
        left -= length;
    }
    let is_exact = body.to_string().len() == bytes;
    is_exact.then_some(body).ok_or_else(|| Halt::Error(format!("cannot build a form of {bytes} bytes")))
}

async fn size(context: Context, parts: Value) -> Verdict {
    let largest = index_of(&parts["bytes"]);
    let marker = context.fresh("heavy");
    let form = request(&context, "POST", &context.facts().website_id)?.json(&of_size(&marker, &parts, largest + 1)?);
    let response = steps::send_large(&context, form).await?;
    demand::problem(&response, 413, &["payload_too_large"])?;
    never(&context, &marker).await?;
    let marker = context.fresh("just");
    captured(&context, &marker, &of_size(&marker, &parts, largest)?).await.map(|_| ())
}
