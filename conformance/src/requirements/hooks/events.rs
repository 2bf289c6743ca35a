//! The two kinds of events can be told apart.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps::hooks::{article_hook, lead_hook};
use crate::steps::payloads::shape;

const SOURCE: &str = "service description, section 6";

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.events.distinct",
            "Hooks about leads and hooks about articles can be told apart.",
            SOURCE,
            distinct,
        )
        .core()
        .needs(LEAD)
        .background(),
    ]
}

/// Whatever tells the kinds apart must be the same for two leads and different for an article.
async fn distinct(context: Context, _: Value) -> Verdict {
    let (_, lead) = lead_hook(&context, "which kind").await?;
    let (_, second) = lead_hook(&context, "which kind").await?;
    let (_, article) = article_hook(&context).await?;
    let [one, two, other] = [&lead, &second, &article].map(|hook| hook.json().unwrap_or_default());
    let names = |hook: &HookRequest| -> BTreeSet<String> {
        hook.headers.keys().map(ToString::to_string).filter(|name| name != "content-length").collect()
    };
    let in_header = names(&lead).into_iter().any(|name| {
        let value = |hook: &HookRequest| hook.headers.get(name.as_str()).cloned();
        value(&lead) == value(&second) && value(&lead) != value(&article)
    });
    let in_member = one.as_object().is_some_and(|members| {
        members.keys().any(|name| !one[name].is_object() && one[name] == two[name] && one[name] != other[name])
    });
    let in_shape = shape(&one).keys().ne(shape(&other).keys());
    let told = lead.path != article.path || in_header || in_member || in_shape;
    ensure(told, "a different path, header, member or shape", || demand::brief(&one))
}
