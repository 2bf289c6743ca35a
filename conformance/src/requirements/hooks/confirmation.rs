//! How long confirmation links are valid, and when a person gets another one. The checks move the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use super::double_opt_in::{LINK, asked, must_be, pending, pending_of};
use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::clock::advance;

const NEEDED: &[Capability] = &[
    Capability::HOOKS,
    Capability::LEAD_FORM,
    Capability::LEADS,
    Capability::DOUBLE_OPT_IN,
    Capability::JOBS,
    Capability::CLOCK,
];

const HOUR: Duration = Duration::from_hours(1);
/// Margin after the time in which a person gets only one link.
const LATER: Duration = Duration::from_mins(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.confirmation.another-link",
            "Thirteen minutes after a confirmation link, a form with the same email gets another link, which confirms its lead.",
            &[
                LINK,
                Sentence("The person gets a link by sending the form again later."),
                Part("/x-limits/confirmation_links/window_seconds"),
            ],
            another_link,
        )
        .needs(NEEDED)
        .drawn("the seconds between two links", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("confirmation_links", "window_seconds"))
        })
        .moving_clock(1),
        Requirement::new(
            "hooks.confirmation.expires",
            "A confirmation link is answered 200 an hour before it is 7 days old, and 410 confirmation_expired an hour after.",
            &[
                Sentence("A link that is older than 7 days, or whose lead was erased, answers 410."),
                Part("/x-limits/confirmation_link/maximum"),
                Part("/x-problem-codes/confirmation_expired"),
            ],
            expires,
        )
        .needs(NEEDED)
        .drawn("the days of validity", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("confirmation_link", "maximum"))
        })
        .moving_clock(8),
    ]
}

fn days(case: &Value) -> Duration {
    Duration::from_hours(24 * case.as_u64().unwrap_or_default())
}

async fn another_link(context: Context, case: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("again"));
    let first = pending_of(&context, &email).await?;
    advance(&context, Duration::from_secs(case.as_u64().unwrap_or_default()) + LATER).await?;
    let second = pending_of(&context, &email).await?;
    demand::status(&*asked(&context, "POST", &second.link).await?, 200)?;
    must_be(&context, &second, "confirmed").await?;
    must_be(&context, &first, "pending").await.map(drop)
}

async fn expires(context: Context, case: Value) -> Verdict {
    let pending = pending(&context).await?;
    advance(&context, days(&case).saturating_sub(HOUR)).await?;
    let shown = asked(&context, "GET", &pending.link).await?;
    let read = context.send(steps::get_lead(&pending.lead_id)).await?;
    if read.status == 404 {
        return Err(Halt::inconclusive(
            "the lead was erased before its link expires: let the server keep unconfirmed leads for more than 7 days",
        ));
    }
    demand::status(&read, 200)?;
    demand::status(&shown, 200)?;
    advance(&context, 2 * HOUR).await?;
    for method in ["GET", "POST"] {
        demand::problem(&*asked(&context, method, &pending.link).await?, 410, &["confirmation_expired"])?;
    }
    Ok(())
}
