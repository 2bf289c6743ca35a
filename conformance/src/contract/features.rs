//! The features of the service: the columns of a verdict.

/// Features with the areas of requirements that belong to each. The requirements of the profile `core` are a separate feature.
const FEATURES: &[(&str, &[&str])] = &[
    ("http", &["answers", "headers", "http", "ids", "problems"]),
    ("keys", &["auth"]),
    ("jobs", &["generate", "jobs", "sequences"]),
    ("idempotency", &["idempotency"]),
    ("articles", &["articles", "voice"]),
    ("lists", &["pages"]),
    ("scheduled posts", &["pipeline"]),
    ("websites", &["websites"]),
    ("leads", &["capture", "leads"]),
    ("webhooks", &["hooks"]),
    ("quotas", &["limits"]),
    ("isolation", &["isolation"]),
];

/// Returns the feature of an area of the full profile.
pub(super) fn of_area(area: &str) -> Option<&'static str> {
    FEATURES.iter().find(|(_, areas)| areas.contains(&area)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, of_area};
    use crate::requirements::catalogue;

    #[test]
    fn every_area_belongs_to_one_feature() {
        for requirement in catalogue() {
            assert!(of_area(requirement.area()).is_some(), "{}", requirement.id);
        }
        let mut areas: Vec<&str> = FEATURES.iter().flat_map(|(_, areas)| *areas).copied().collect();
        let count = areas.len();
        areas.sort_unstable();
        areas.dedup();
        assert_eq!(areas.len(), count);
    }
}
