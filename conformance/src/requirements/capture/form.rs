//! Form-encoded lead forms: they mean the same as JSON.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::flat_forms::{self, AGREEING, ensure_kept, flattened, pairs, unfilled};
use crate::steps::forms::sent;
use crate::steps::lead_form::{captured_by, is_trapped, url_encoded};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
    let lead = captured_by(&context, &marker, url_encoded(&context, &flat_forms::repeated(&marker))?).await?;
    ensure_joined(&lead)
}

/// Demands that the lead of `flat_forms::repeated` has all values in their order.
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
