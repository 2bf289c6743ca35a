//! How long forms with the same email make one lead. The check moves the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Verdict, ensure};
use crate::steps;
use crate::steps::clock::advance;
use crate::steps::lead_form::is_marked;
use crate::steps::leads::{captured, with_email};

/// Time before and after the end of the window at which the form is sent again.
const APART: Duration = Duration::from_mins(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.window.ends",
            "A form with the same email makes no second lead seven minutes after the first. Thirteen minutes after the first it makes one.",
            &[
                Sentence(
                    "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make one lead: the first.",
                ),
                Part("/x-limits/capture_window/maximum"),
            ],
            ends,
        )
        .needs(&[Capability::LEADS, Capability::LEAD_FORM, Capability::JOBS, Capability::CLOCK])
        .drawn("the minutes of the window", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("capture_window", "maximum"))
        })
        .moving_clock(1),
    ]
}

async fn ends(context: Context, case: Value) -> Verdict {
    let window = Duration::from_mins(case.as_u64().unwrap_or_default());
    // Two people, because the second form of the first one may begin the window anew.
    let [early, late] = ["early", "late"].map(|name| format!("{}@example.com", context.fresh(name)));
    let first_early = captured(&context, &early, "First", "one").await?;
    let first_late = captured(&context, &late, "First", "one").await?;
    advance(&context, window.saturating_sub(APART)).await?;
    steps::capture(&context, &early, "Second", "two").await?;
    // Another lead shows that the second form was processed.
    captured(&context, &format!("other-{early}"), "Other", "one").await?;
    let leads = alike(&context, &early, &first_early).await?;
    ensure(leads.len() == 1, "one lead within the window", || format!("{} leads", leads.len()))?;
    advance(&context, 2 * APART).await?;
    steps::capture(&context, &late, "Second", "two").await?;
    let look = || async {
        let count = alike(&context, &late, &first_late).await?.len();
        Ok(Look::at(count > 1, || Halt::fail("a second lead after the window", format!("{count} lead"))))
    };
    context.eventually(context.grace(), look).await
}

/// Returns the leads with this email that look like spam exactly if the first one does.
async fn alike(context: &Context, email: &str, first: &Value) -> Result<Vec<Value>, Halt> {
    let leads = with_email(context, email).await?;
    Ok(leads.into_iter().filter(|lead| json!(is_marked(lead)) == json!(is_marked(first))).collect())
}
