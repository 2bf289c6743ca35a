//! Limits that the operator of the target configured: they replace the defaults of the document.

use std::sync::Arc;
use std::time::Duration;

use super::quotas::Quota;
use super::target::{DeclaredLimits, SetUpError};
use crate::spec::Document;

/// Returns the document with the declared values.
///
/// # Errors
/// Returns an error if a name is not one of a limit that an operator may configure.
pub(super) fn document(defaults: &Arc<Document>, declared: &DeclaredLimits) -> Result<Arc<Document>, SetUpError> {
    if declared.is_empty() {
        return Ok(Arc::clone(defaults));
    }
    let valid: Vec<&str> = defaults.configurable_limits().collect();
    match declared.keys().find(|name| !valid.contains(&name.as_str())) {
        Some(name) => Err(SetUpError::Configuration(format!(
            "target.limits: `{name}` is not a limit that an operator may configure; these are: {}",
            valid.join(", ")
        ))),
        None => Ok(Arc::new(defaults.with_limits(declared))),
    }
}

/// Returns a sentence for the reports that lists the declared values, if there are any.
pub(super) fn remark(defaults: &Document, declared: &DeclaredLimits) -> Option<String> {
    let listed = declared
        .iter()
        .map(|(name, maximum)| format!("{name} {maximum} (default {})", defaults.limit_number(name, "maximum")));
    let listed = listed.collect::<Vec<_>>().join(", ");
    (!listed.is_empty()).then(|| format!("the configuration declares limits of the target ([target.limits]): {listed}"))
}

/// Adds the declared quotas to the `announced` ones, unless both have the same name.
pub(super) fn quotas(document: &Document, declared: &DeclaredLimits, announced: Vec<Quota>) -> Vec<Quota> {
    let of_name = |name: &String| {
        let limit = document.limit(name);
        Some(Quota {
            name: limit["policy"].as_str()?.to_owned(),
            requests: limit["maximum"].as_u64()?,
            window: Duration::from_secs(limit["window_seconds"].as_u64()?),
        })
    };
    let mut known = announced;
    for quota in declared.keys().filter_map(of_name) {
        if known.iter().all(|one| one.name != quota.name) {
            known.push(quota);
        }
    }
    known
}
