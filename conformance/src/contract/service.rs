//! The contract of this service.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};

use super::{costs, coverage, features, preflight};
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
        costs::MEASURED
    }

    fn measured_coverage(&self) -> &'static str {
        coverage::MEASURED
    }

    fn feature(&self, requirement: &Requirement) -> &'static str {
        let area = requirement.area();
        if requirement.profile == Profile::Core { "core" } else { features::of_area(area).unwrap_or(area) }
    }

    fn unreachable(&self, part: &Part) -> Option<&'static str> {
        coverage::unreachable(part)
    }
}
