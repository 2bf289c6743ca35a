//! Bounds of the lead form: the lengths and counts in the document.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict, demand, ensure};
use crate::steps::form_bounds::{at_bound, packed};
use crate::steps::lead_form::{captured, never, send};
use crate::strategies::Space;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const REFUSED: &[Source] = &[
    Part("/components/schemas/LeadCapture/properties"),
    Part("/components/schemas/LeadFields"),
    Part("/components/schemas/LeadCaptureSource/properties"),
    Part("/components/schemas/LeadCaptureConsent"),
    Sentence("The request breaks the schema."),
    Sentence("The lead is not valid."),
    Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
];

const MAXIMA: &[Source] = &[
    Part("/components/schemas/LeadCapture/properties"),
    Part("/components/schemas/LeadFields"),
    Part("/components/schemas/LeadCaptureSource/properties"),
    Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.bounds.refused",
            "A lead form with a text that is too long or too short, a number out of range, or too many fields gets 422, and no lead is stored.",
            REFUSED,
            refused,
        )
        .drawn("one beyond every bound of the form", Cases::Exactly(1), |space, _| bounds(space, "refused"))
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
    ]
}

fn bounds(space: &Space, kind: &str) -> Value {
    space.form_bounds().iter().filter(|bound| bound["as"] == kind).cloned().collect()
}

async fn refused(context: Context, bounds: Value) -> Verdict {
    let marker = context.fresh("bound");
    for bound in bounds.as_array().into_iter().flatten() {
        let response = send(&context, &at_bound(&marker, bound)).await?;
        demand::problem(&response, 422, &["validation_failed"])?;
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
