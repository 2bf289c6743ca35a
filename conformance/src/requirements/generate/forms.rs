//! Values that a framework would turn into the right type, and the document does not.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::draws::index_of;
use crate::steps::send_and_discard;
use crate::steps::{self, control};

const SOURCE: &str = "openapi.yaml, GenerateRequest and FieldErrorCode";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.forms.refused",
            "A value of another type is refused with 422, also where it could be read as the right one: true in quotation marks, 1 for true, a number in quotation marks, an empty text for none, an empty list for an empty map.",
            SOURCE,
            refused,
        )
        .drawn("values that look like the right ones", Cases::Listed(|_| forms().len()), |_, draw| json!(draw.index())),
        Requirement::must(
            "generate.forms.website-as-it-is",
            "Ids are opaque: one with a blank before or behind it names no website and is refused with 422 website_not_found.",
            "openapi.yaml, info.description, Conventions, and x-problem-codes",
            website_as_it_is,
        )
        .drawn("before and behind", Cases::Exactly(2), |_, draw| json!(draw.index())),
    ]
}

/// Members with values that look like right ones.
fn forms() -> Vec<(&'static str, Value)> {
    vec![
        ("auto_publish", json!("true")),
        ("auto_publish", json!("false")),
        ("auto_publish", json!(1)),
        ("auto_publish", json!(0)),
        ("auto_publish", json!("")),
        ("target_word_count", json!("300")),
        ("target_word_count", json!("")),
        ("language", json!("")),
        ("publish_at", json!("")),
        ("publish_at", json!(1_793_606_400)),
        ("keywords", json!({})),
        ("keywords", json!("")),
        ("metadata", json!([])),
        ("metadata", json!("")),
    ]
}

async fn refused(context: Context, case: Value) -> Verdict {
    let all = forms();
    let (member, value) = &all[index_of(&case) % all.len()];
    let mut body = steps::quiet_request(&context, "Taking a word for another");
    body[*member] = value.clone();
    let exchange = send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let is_named = errors.len() == 1 && errors[0]["pointer"] == format!("#/{member}");
    ensure(is_named, format!("exactly one entry in errors: pointer #/{member}"), || {
        Value::Array(errors.clone()).to_string()
    })?;
    control::ordered(&context).await
}

async fn website_as_it_is(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Taking a house for another");
    let id = &context.facts().website_id;
    body["website_id"] = json!(if case == 0 { format!(" {id}") } else { format!("{id} ") });
    let codes = ["website_not_found", "validation_failed"];
    demand::problem(&*send_and_discard(&context, steps::generate(&body)).await?, 422, &codes)?;
    control::ordered(&context).await
}
