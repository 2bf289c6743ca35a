//! Kinds of webhooks: those about leads differ from those about articles, and those about suspected spam say so.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps::hooks::{LEAD_CAPTURED, article_hook, first_mention, first_of_ordinary_lead};
use crate::steps::payloads::shape;
use crate::steps::{self, lead_form};

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const FORM: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.events.distinct",
            "A receiver can distinguish webhooks about leads from webhooks about articles.",
            &[Fact("6"), Sentence("Type of the event."), Standard("Standard Webhooks 1.0.0", "Event types")],
            distinct,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.trap.marked",
            "A lead form with a text in `_hp` causes no webhook about a lead that is not suspected of being spam.",
            &[Sentence(
                "If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason \
                `trap_filled`.",
            )],
            trap,
        )
        .needs(FORM)
        .background(),
    ]
}

/// Demands a feature that is the same for two leads, which have no text in common, and different for an article.
async fn distinct(context: Context, _: Value) -> Verdict {
    let lead = about_lead(&context, "Robin Kind", "which kind").await?;
    let second = about_lead(&context, "Alex Sort", "of what sort").await?;
    let (_, article) = article_hook(&context).await?;
    let [one, two, other] = [&lead, &second, &article].map(|hook| hook.json().unwrap_or_default());
    let names = |hook: &HookRequest| -> BTreeSet<String> {
        hook.headers.keys().map(ToString::to_string).filter(|name| name != "content-length").collect()
    };
    let in_header = names(&lead).into_iter().any(|name| {
        let value = |hook: &HookRequest| hook.headers.get(name.as_str()).cloned();
        value(&lead) == value(&second) && value(&lead) != value(&article)
    });
    let in_field = scalars(&one, "")
        .into_iter()
        .any(|(place, value)| two.pointer(&place) == Some(value) && other.pointer(&place) != Some(value));
    let in_shape = shape(&one).keys().ne(shape(&other).keys());
    let told = lead.path != article.path || in_header || in_field || in_shape;
    ensure(told, "a different path, header, field or shape", || demand::brief(&one))
}

/// Captures a lead and returns the first webhook about it.
async fn about_lead(context: &Context, name: &str, message: &str) -> Result<HookRequest, Halt> {
    let marker = context.fresh("kind");
    steps::capture(context, &format!("{marker}@example.com"), name, message).await?;
    first_of_ordinary_lead(context, &marker).await
}

/// Returns the texts, numbers and truth values of `value` at every depth, with their JSON pointers.
fn scalars<'value>(value: &'value Value, at: &str) -> Vec<(String, &'value Value)> {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| scalars(item, &format!("{at}/{index}"))).collect()
        }
        Value::Object(fields) => {
            let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
            fields.iter().flat_map(|(name, field)| scalars(field, &format!("{at}/{}", escaped(name)))).collect()
        }
        Value::Null => Vec::new(),
        scalar => vec![(at.to_owned(), scalar)],
    }
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    lead_form::taken(&context, &json!({ "email": format!("{marker}@example.com"), "_hp": "x" })).await?;
    let later = context.fresh("person");
    lead_form::taken(&context, &json!({ "email": format!("{later}@example.com") })).await?;
    first_mention(&context, &later, LEAD_CAPTURED).await?;
    let is_unmarked = |hook: &HookRequest| {
        let body = hook.json().unwrap_or_default();
        body["type"] == LEAD_CAPTURED && !lead_form::is_marked(&body["data"]["lead"])
    };
    let hooks = context.hooks()?.wait_for(&marker, context.quiet(), |seen| seen.iter().any(is_unmarked)).await;
    let unmarked = hooks.iter().filter(|hook| is_unmarked(hook)).count();
    ensure(unmarked == 0, "no webhook about a lead whose spam.suspected is not true", || format!("{unmarked} of them"))
}
