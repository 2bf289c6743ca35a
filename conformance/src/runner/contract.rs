//! The interface between the runner and the contract that targets are checked against.
//!
//! The runner contains no operation, path or capability of any service: the contract provides them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt as _};

use super::quotas::Quota;
use super::target::{SetUpError, Target};
use crate::check::{Channel, Context, Exchange, Facts, Request, Requirement, TransportFault, Waits};
use crate::coverage::Part;
use crate::spec::{Document, Profile, SpecError};
use crate::strategies::Space;

/// A contract: a document, its requirements, and the steps at the start and end of a run.
pub trait Contract: fmt::Debug + Send + Sync {
    /// Returns the document for `profile`.
    ///
    /// # Errors
    /// Returns an error if the document is broken: a bug of the contract, not of any target.
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError>;

    /// Returns all requirements, in the order of ids.
    fn catalogue(&self) -> Vec<Requirement>;

    /// Returns a request that every target answers, to find out whether it is reachable.
    fn probe(&self) -> Request;

    /// Checks that `target` is configured as this contract needs it.
    ///
    /// # Errors
    /// Returns an error that says what is wrong and how to fix it, such as for a base URL that contains a part of the paths.
    fn accepts(&self, _target: &Target) -> Result<(), SetUpError> {
        Ok(())
    }

    /// Asks the first questions and adds the features of the target to `facts`. Adds sentences for the report to
    /// `notes`. Checks no requirement. The probe has already returned a response other than a quota refusal.
    ///
    /// # Errors
    /// Returns an error if the run cannot begin, such as for a rejected key.
    fn preflight<'ask>(
        &'ask self,
        _target: &'ask Target,
        _questions: Questions<'ask>,
        _facts: &'ask mut Facts,
        _notes: &'ask mut Vec<String>,
    ) -> BoxFuture<'ask, Result<(), SetUpError>> {
        futures::future::ready(Ok(())).boxed()
    }

    /// Returns the space from which cases are drawn.
    fn space(&self, document: Arc<Document>, facts: &Facts) -> Space {
        Space::new(document, &facts.website_id)
    }

    /// Removes the objects of a case that did not pass.
    fn clean_up<'case>(&'case self, _context: &'case Context) -> BoxFuture<'case, ()> {
        futures::future::ready(()).boxed()
    }

    /// Returns texts that only this target has, such as its ids, by their placeholders. Saved cases contain the
    /// placeholders, so that another target can repeat them.
    fn own_texts(&self, _facts: &Facts) -> OwnTexts {
        OwnTexts::new()
    }

    /// Returns the quotas of the document that the target announces in no header.
    fn unannounced_quotas(&self, _document: &Document, _facts: &Facts) -> Vec<Quota> {
        Vec::new()
    }

    /// Returns the name of the unannounced quota that an exchange was charged to.
    fn charged_unannounced(&self, _exchange: &Exchange, _facts: &Facts) -> Option<&'static str> {
        None
    }

    /// Returns the measured number of requests that each requirement makes of each quota: lines of
    /// `requirement,quota,requests,cases` below a heading.
    fn measured_costs(&self) -> &'static str {
        ""
    }

    /// Returns the measured list of requirements that usually cover each part of the document: lines of
    /// `part,requirements` below a heading. Spaces separate the requirements; those with the fewest needs come first.
    fn measured_coverage(&self) -> &'static str {
        ""
    }

    /// Returns the feature of the service that a requirement belongs to. A verdict counts the requirements of each feature.
    fn feature(&self, requirement: &Requirement) -> &'static str {
        requirement.area()
    }

    /// Returns the command of the command line that runs this contract.
    fn command(&self) -> &'static str {
        "run"
    }

    /// Returns the reason why no requirement covers `part`, if known.
    fn unreachable(&self, _part: &Part) -> Option<&'static str> {
        None
    }
}

/// Texts that only one target has, such as the id of a website, by their placeholders in a saved case.
pub type OwnTexts = BTreeMap<&'static str, String>;

/// The first questions: the way to the target, and the response to the probe.
#[derive(Debug, Clone, Copy)]
pub struct Questions<'ask> {
    /// The way to the target.
    pub channel: &'ask dyn Channel,
    /// The profile of the run.
    pub profile: Profile,
    /// The response to the probe, if any.
    pub probed: Option<&'ask Exchange>,
}

impl Questions<'_> {
    /// Sends one request that belongs to no case.
    ///
    /// # Errors
    /// Returns an error if there is no usable HTTP response.
    pub async fn ask(&self, request: Request) -> Result<Exchange, TransportFault> {
        self.channel.exchange(request, &Waits::default()).await
    }
}
