//! Redirects with 301, 303, 307 and 308. Those with 302 are in `delivery`.

use std::time::Duration;

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::inbox::HookAnswer::Status;
use crate::steps;
use crate::steps::hooks::first_of_ordinary_lead;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

/// Time within which a sender follows a redirect.
const AT_ONCE: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.redirect.not-followed",
            "A redirect with 301, 303, 307 or 308 is not followed, neither with GET nor with POST: the payload is sent \
            only to the registered URL.",
            &[Sentence("It follows no redirect."), Standard("Standard Webhooks 1.0.0", "Delivery success and failure")],
            not_followed,
        )
        .needs(LEAD)
        .background(),
    ]
}

async fn not_followed(context: Context, _: Value) -> Verdict {
    let log = context.hooks()?;
    let mut redirected = Vec::new();
    for status in [301, 303, 307, 308] {
        let marker = context.fresh("redirected");
        log.script(&marker, &[Status(status), Status(204)]);
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Redirect", "elsewhere").await?;
        redirected.push((status, marker));
    }
    for (status, marker) in &redirected {
        first_of_ordinary_lead(&context, marker).await?;
        let followed = log.wait_until(AT_ONCE, || log.redirected(marker), Option::is_some).await;
        ensure(followed.is_none(), format!("no request to the address in Location of a {status}"), || {
            followed.map(|hook| format!("{} {}", hook.method, hook.path)).unwrap_or_default()
        })?;
    }
    Ok(())
}
