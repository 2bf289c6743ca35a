//! The contract of this service.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};

use super::{measured, preflight};
use crate::check::{Capability, Context, Exchange, Facts, Request, Requirement};
use crate::coverage::Part;
use crate::requirements::catalogue;
use crate::runner::{Contract, OwnTexts, Questions, Quota, SetUpError, Target};
use crate::spec::{Document, Profile, SpecError};
use crate::steps;

/// The name of the quota of lead forms, whose responses announce none (`capture_rate` under `x-limits`).
const CAPTURE: &str = "capture";
/// Prefix of every API path.
const PREFIX: &str = "/api/v1";

/// Features of the service, the columns of a verdict, with the areas of requirements that belong to each. The requirements of the profile
/// `core` are a separate feature.
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

/// The contract of the Content Generation Service.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContentGeneration;

impl Contract for ContentGeneration {
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError> {
        Document::embedded(profile)
    }

    fn catalogue(&self) -> Vec<Requirement> {
        catalogue()
    }

    fn probe(&self) -> Request {
        Request::new("get_article", "GET", "/articles/conformance-preflight")
    }

    fn accepts(&self, target: &Target) -> Result<(), SetUpError> {
        let Some(without) = target.base_url.strip_suffix(PREFIX) else { return Ok(()) };
        Err(SetUpError::Configuration(format!(
            "the base URL `{}` contains a part of the paths that the suite adds itself: use `{without}`",
            target.base_url
        )))
    }

    fn preflight<'ask>(
        &'ask self,
        target: &'ask Target,
        questions: Questions<'ask>,
        facts: &'ask mut Facts,
        notes: &'ask mut Vec<String>,
    ) -> BoxFuture<'ask, Result<(), SetUpError>> {
        preflight::ask(target, questions, facts, notes).boxed()
    }

    fn clean_up<'case>(&'case self, context: &'case Context) -> BoxFuture<'case, ()> {
        steps::clean_up(context).boxed()
    }

    fn own_texts(&self, facts: &Facts) -> OwnTexts {
        let other = facts.other_website_id.clone();
        let website = ("{website_id}", Some(facts.website_id.clone()));
        [website, ("{other_website_id}", other)].into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }

    fn unannounced_quotas(&self, document: &Document, facts: &Facts) -> Vec<Quota> {
        let limit = document.limit("capture_rate");
        let (requests, window) = (limit["maximum"].as_u64(), limit["window_seconds"].as_u64());
        let has_form = facts.capabilities.contains(&Capability::LEAD_FORM);
        let quota =
            |(requests, window)| Quota { name: CAPTURE.to_owned(), requests, window: Duration::from_secs(window) };
        requests.zip(window).filter(|_| has_form).map(quota).into_iter().collect()
    }

    fn charged_unannounced(&self, exchange: &Exchange, facts: &Facts) -> Option<&'static str> {
        let request = &exchange.request;
        let is_operation =
            matches!(request.operation, Some("capture_lead" | "confirm_lead")) && request.method == "POST";
        let is_form = is_operation || facts.capture.as_ref().is_some_and(|capture| request.path == capture.url);
        (is_form && exchange.status != 429).then_some(CAPTURE)
    }

    fn measured_costs(&self) -> &'static str {
        measured::COSTS
    }

    fn measured_coverage(&self) -> &'static str {
        measured::COVERAGE
    }

    fn feature(&self, requirement: &Requirement) -> &'static str {
        let area = requirement.area();
        if requirement.profile == Profile::Core { "core" } else { feature_of(area).unwrap_or(area) }
    }

    fn unreachable(&self, part: &Part) -> Option<&'static str> {
        measured::unreachable(part)
    }
}

/// Returns the feature of an area of the full profile.
fn feature_of(area: &str) -> Option<&'static str> {
    FEATURES.iter().find(|(_, areas)| areas.contains(&area)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, feature_of};
    use crate::requirements::catalogue;

    #[test]
    fn every_area_belongs_to_one_feature() {
        for requirement in catalogue() {
            assert!(feature_of(requirement.area()).is_some(), "{}", requirement.id);
        }
        let mut areas: Vec<&str> = FEATURES.iter().flat_map(|(_, areas)| *areas).copied().collect();
        let count = areas.len();
        areas.sort_unstable();
        areas.dedup();
        assert_eq!(areas.len(), count);
    }
}
