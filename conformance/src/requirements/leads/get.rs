//! A lead that is read by its id is the same as in the list.

use serde_json::{Map, Value};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::leads::captured;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.get.same-as-list",
            "GET /leads/{lead_id} returns the lead with the same fields of the document as the list.",
            &[
                Sentence("Each lead is complete, as `get_lead` returns it."),
                Sentence("Returns one lead in its current state."),
                Sentence("`null` and an absent field mean the same."),
            ],
            same_as_list,
        )
        .needs(CAPTURE),
    ]
}

async fn same_as_list(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    let lead = captured(&context, &email, "Robin Reader", "hello").await?;
    let one = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    demand::status(&one, 200)?;
    demand::same("the lead", &documented(&context, &lead), &documented(&context, demand::json(&one)?))
}

/// Returns the fields of a lead that are in the document, without null ones.
fn documented(context: &Context, lead: &Value) -> Value {
    let properties = &context.document().schema("Lead")["properties"];
    let fields = lead.as_object().into_iter().flatten().filter(|(name, _)| properties.get(name.as_str()).is_some());
    without_nulls(&Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect()))
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(_, field)| !field.is_null());
            Value::Object(kept.map(|(name, field)| (name.clone(), without_nulls(field))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}
