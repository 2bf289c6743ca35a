//! The faults to fix first: broken requirements that share a fault become one entry, the worst entries come first.

use std::collections::BTreeMap;

use super::model::{FixFirst, RequirementReport, Status, Urgency};
use crate::check::A_RESPONSE;
use crate::spec::Profile;

/// Requirements whose violation reveals a secret, whatever the status of the response.
const LEAKS: [&str; 2] = ["auth.key.never-echoed", "hooks.payload.no-secrets"];

/// The demand of an entry for the list of known failures.
const OUTDATED: &str = "Each entry of the known failures still fails and has not expired.";

impl Urgency {
    /// Returns a short description.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::NoAnswer => "no usable response",
            Self::Security => "security",
            Self::Documented => "documented fact",
            Self::Contract => "contract",
            Self::KnownFailures => "known failures",
            Self::Advice => "advice",
        }
    }

    /// Returns true if it concerns every client or security.
    pub(super) fn is_grave(self) -> bool {
        self <= Self::Documented
    }
}

/// Returns the entries for `rows`. `profile_of` returns the profile of a requirement.
pub(super) fn fix_first(rows: &[RequirementReport], profile_of: impl Fn(&str) -> Profile) -> Vec<FixFirst> {
    let mut groups: BTreeMap<(Urgency, &str), FixFirst> = BTreeMap::new();
    for row in rows.iter().filter(|row| matches!(row.status, Status::Failed | Status::Warned)) {
        let (urgency, clause, demanded) = match &row.failure {
            Some(failure) if row.reason.is_none() => {
                (urgency(row, profile_of(&row.id)), row.clause.as_str(), failure.expected.as_str())
            }
            _ => (Urgency::KnownFailures, OUTDATED, "up-to-date entries in known_failures"),
        };
        let entry = groups.entry((urgency, demanded)).or_insert_with(|| FixFirst {
            urgency,
            clause: clause.to_owned(),
            demanded: demanded.to_owned(),
            requirements: Vec::new(),
        });
        entry.requirements.push(row.id.clone());
    }
    let mut entries: Vec<FixFirst> = groups.into_values().collect();
    // The sort is stable: entries of equal weight keep their order.
    entries.sort_by_key(|entry| (entry.urgency, std::cmp::Reverse(entry.requirements.len())));
    entries
}

/// Returns true if the response that shows the fault is a success. A refusal with the wrong words does no harm.
fn was_let_in(row: &RequirementReport) -> bool {
    let exchanges = row.failure.iter().flat_map(|failure| &failure.exchanges);
    exchanges.filter(|exchange| exchange.is_decisive).any(|exchange| (200..300).contains(&exchange.status))
}

fn urgency(row: &RequirementReport, profile: Profile) -> Urgency {
    let area = row.id.split('.').next().unwrap_or_default();
    let no_answer = row.failure.as_ref().is_some_and(|failure| failure.expected == A_RESPONSE);
    match (row.status, area) {
        _ if no_answer => Urgency::NoAnswer,
        (Status::Warned, _) => Urgency::Advice,
        (_, "auth" | "isolation") if was_let_in(row) => Urgency::Security,
        _ if LEAKS.contains(&row.id.as_str()) => Urgency::Security,
        _ if profile == Profile::Core => Urgency::Documented,
        _ => Urgency::Contract,
    }
}
