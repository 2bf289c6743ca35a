//! Times in webhooks.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Halt, Requirement, Verdict};
use crate::steps::times::{near, server_now};
use crate::steps::{self, hooks};

const HOOKS: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.times.real",
            "timestamp of a webhook is the time of the event, within five minutes of the server's Date header.",
            &[Sentence("When the event happened."), Standard("RFC 9110", "6.6.1")],
            hooks,
        )
        .needs(HOOKS)
        .background(),
    ]
}

async fn hooks(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("hook");
    steps::capture(&context, &format!("{marker}@example.com"), "Robin Clock", "what time is it").await?;
    let date = server_now(&context).await?;
    let hook = hooks::first_of_ordinary_lead(&context, &marker).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    near(&envelope, "timestamp", date)
}
