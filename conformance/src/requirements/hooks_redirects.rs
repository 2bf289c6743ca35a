//! Redirects that keep method and body: a sender that follows them sends the payload elsewhere.
//!
//! Other answers of receivers are in `hooks_delivery`.

use std::time::Duration;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::hook_answer::HookAnswer;
use super::requirement::Requirement;
use super::verdict::{Verdict, ensure};
use super::{steps, steps_hooks};

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];

/// Who follows a redirect does it at once.
const AT_ONCE: Duration = Duration::from_secs(3);

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.delivery.no-permanent-redirects",
            "A redirect with 307 or 308 counts as failure and is not followed: the payload goes to the registered URL only.",
            "Standard Webhooks 1.0.0, Redirects",
            not_followed,
        )
        .needs(LEAD)
        .background(),
    ]
}

async fn not_followed(context: Context, _: Value) -> Verdict {
    let log = context.hooks()?;
    let markers = [(307, context.fresh("temporary")), (308, context.fresh("permanent"))];
    for (status, marker) in &markers {
        log.script(marker, &[HookAnswer::Status(*status), HookAnswer::Status(204)]);
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Redirect", "elsewhere").await?;
    }
    for (status, marker) in &markers {
        steps_hooks::first_of_ordinary_lead(&context, marker).await?;
        let followed = log.wait_until(AT_ONCE, || log.redirected(marker), Option::is_some).await;
        ensure(followed.is_none(), "no request to the address in Location", || format!("one after {status}"))?;
    }
    Ok(())
}
