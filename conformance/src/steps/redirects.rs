//! Steps of the checks that answer a hook with a redirect.
//!
//! What is demanded of senders then is in `requirements::hooks`.

use std::time::Duration;

use super::{calls, hooks};
use crate::check::{Context, Verdict, ensure};
use crate::inbox::HookAnswer::Status;

/// Who follows a redirect does it at once.
const AT_ONCE: Duration = Duration::from_secs(3);

/// Answers the hook about a lead of its own with a redirect, once for each of `statuses`: nobody asks for what `Location` names.
pub(crate) async fn are_not_followed(context: &Context, statuses: &[u16]) -> Verdict {
    let log = context.hooks()?;
    let mut redirected = Vec::new();
    for status in statuses {
        let marker = context.fresh("redirected");
        log.script(&marker, &[Status(*status), Status(204)]);
        calls::capture(context, &format!("{marker}@example.com"), "Robin Redirect", "elsewhere").await?;
        redirected.push((status, marker));
    }
    for (status, marker) in &redirected {
        hooks::first_of_ordinary_lead(context, marker).await?;
        let followed = log.wait_until(AT_ONCE, || log.redirected(marker), Option::is_some).await;
        ensure(followed.is_none(), format!("no request to the address in Location of a {status}"), || {
            followed.map(|hook| format!("{} {}", hook.method, hook.path)).unwrap_or_default()
        })?;
    }
    Ok(())
}
