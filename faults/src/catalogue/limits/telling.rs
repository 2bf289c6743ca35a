//! Faults in the quota headers of responses.

use super::super::fault::{Fault, fault};
use super::purse::{self, Quota};

pub(super) const FAULTS: &[Fault] = &[
    fault("limits.unannounced", "Responses omit the quota headers.", &["http.quota.announced"])
        .response(|response, _, _| purse::remove_quota(response)),
    fault("limits.unannounced-on-404", "Refusals omit the quota headers.", &["http.quota.announced"]).response(
        |response, _, _| {
            if (400..500).contains(&response.status) {
                purse::remove_quota(response);
            }
        },
    ),
    fault("limits.not-counted", "The remaining quota never changes.", &["limits.quota.counts-down"]).response(
        |response, _, _| {
            if let Some(quota) = Quota::of(response) {
                purse::set_left(response, quota.requests);
            }
        },
    ),
];
