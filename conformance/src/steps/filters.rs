//! Several filters in one request.

use crate::check::{Context, Verdict};
use crate::steps;
use crate::steps::lists::{List, shows};

/// A filter: its name, a value that matches the item, and one that does not.
pub(crate) type Filter = (&'static str, String, String);

/// Demands that the list contains the item `id` with all matching filters, and not with a matching and another filter together.
pub(crate) async fn each_counts(context: &Context, list: List, id: &str, filters: &[Filter]) -> Verdict {
    let all: Vec<String> = filters.iter().map(|(name, matching, _)| format!("{name}={matching}")).collect();
    shows(context, list, &format!("limit=100&{}", all.join("&")), id, true).await?;
    for (name, matching, _) in filters {
        for (second, _, other) in filters.iter().filter(|(second, ..)| second != name) {
            shows(context, list, &format!("limit=100&{name}={matching}&{second}={other}"), id, false).await?;
        }
    }
    Ok(())
}

/// Returns the filter by the website under test; the other value is an id that no website has.
pub(crate) fn of_website(context: &Context) -> Filter {
    ("website_id", steps::segment(&context.facts().website_id), "web_unknown_to_everyone".to_owned())
}
