//! Filters that are set together.

use crate::check::{Context, Verdict};
use crate::steps;
use crate::steps::lists::{List, shows};

/// A filter: its name, a value that lets the row through, and one that does not.
pub(crate) type Filter = (&'static str, String, String);

/// The row `id` comes with all filters that let it through, and with none that is joined by one that does not.
pub(crate) async fn each_counts(context: &Context, list: List, id: &str, filters: &[Filter]) -> Verdict {
    let all: Vec<String> = filters.iter().map(|(name, through, _)| format!("{name}={through}")).collect();
    shows(context, list, &format!("limit=100&{}", all.join("&")), id, true).await?;
    for (name, through, _) in filters {
        for (other, _, out) in filters.iter().filter(|(other, ..)| other != name) {
            shows(context, list, &format!("limit=100&{name}={through}&{other}={out}"), id, false).await?;
        }
    }
    Ok(())
}

/// Only rows of the run's own website, and an id that no website has.
pub(crate) fn of_website(context: &Context) -> Filter {
    ("website_id", steps::segment(&context.facts().website_id), "web_unknown_to_everyone".to_owned())
}
