//! Nobody gets hooks about what belongs to another account.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::accounts;
use crate::steps::endpoints::QUIET;
use crate::steps::hooks::article_hook;

const TWO: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.isolation.own-only",
            "Hooks tell of the own account's articles only: another account's are as if they did not exist.",
            "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike",
            own_only,
        )
        .needs(TWO)
        .background(),
    ]
}

async fn own_only(context: Context, _: Value) -> Verdict {
    let job = accounts::published_by_other(&context, "Reading a barograph").await?;
    article_hook(&context).await?;
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    for foreign in [demand::text(&job, "job_id")?, demand::text(&job, "article_id")?, &website_id] {
        let log = context.hooks()?;
        let seen = log.wait_for(foreign, QUIET / 2, |seen| !seen.is_empty()).await;
        ensure(seen.is_empty(), format!("no hook about the other account's {foreign}"), || {
            demand::beginning(&seen[0].body)
        })?;
    }
    Ok(())
}
