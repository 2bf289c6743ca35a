//! What responses tell of the quota.

use super::super::fault::{Fault, fault};
use super::purse::{self, Quota};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "limits.unannounced",
        "Responses do not tell the quota.",
        &["limits.quota.announced", "http.quota.announced"],
    )
    .response(|response, _, _| purse::remove_quota(response)),
    fault("limits.unannounced-on-404", "Refusals do not tell the quota.", &["http.quota.announced"]).response(
        |response, _, _| {
            if (400..500).contains(&response.status) {
                purse::remove_quota(response);
            }
        },
    ),
    fault("limits.not-counted", "What is left never changes.", &["limits.quota.counts-down"]).response(
        |response, _, _| {
            if let Some(quota) = Quota::of(response) {
                purse::set_left(response, quota.requests);
            }
        },
    ),
];
