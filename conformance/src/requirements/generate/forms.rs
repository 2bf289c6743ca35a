//! Values that a framework might convert to the right type, but the document does not allow.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::draws::index_of;
use crate::steps::send_and_discard;
use crate::steps::{self, control};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.forms.refused",
            "A value of another type is refused with 422, also where it could be read as the right one: true in quotation marks, 1 for true, a number in quotation marks, an empty text for an absent value, an empty list for an empty map.",
            &[
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
                Sentence("One response reports all schema violations of a body, up to 100."),
                Sentence("JSON Pointer of the field in the body, as a URI fragment."),
                Part("/components/schemas/GenerateRequest/properties"),
            ],
            refused,
        )
        .drawn("values that look like valid ones", Cases::Listed(|_| forms().len()), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.forms.website-as-it-is",
            "Ids are opaque: a website_id with a space before or after it is an unknown id and is refused with 422.",
            &[
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Sentence("`website_id` in the body is unknown, or the key may not use it."),
            ],
            website_as_it_is,
        )
        .drawn("before and after", Cases::Exactly(2), |_, draw| json!(draw.index())),
    ]
}

/// Fields with values that look like valid ones.
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
    let (field, value) = &all[index_of(&case) % all.len()];
    let mut body = steps::quiet_request(&context, "Taking a word for another");
    body[*field] = value.clone();
    let exchange = send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let pointer = format!("#/{field}");
    let is_named = !errors.is_empty() && errors.iter().all(|error| error["pointer"] == pointer.as_str());
    ensure(is_named, format!("entries in errors, all with pointer {pointer}"), || {
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
