//! What targets are judged by, as far as running needs to know it.
//!
//! The runner knows no operation, path or capability of any service: all of that comes from here.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt as _};

use super::quotas::Quota;
use super::set_up::SetUpError;
use super::target::Target;
use crate::check::{Channel, Context, Exchange, Facts, Request, Requirement, TransportFault, Waits};
use crate::coverage::Part;
use crate::spec::{Document, Profile, SpecError};
use crate::strategies::Space;

/// A contract: a document, requirements about it, and how to begin and end with a target.
pub trait Contract: fmt::Debug + Send + Sync {
    /// The document, as `profile` sees it.
    ///
    /// # Errors
    /// When it is broken: a fault of the contract's, not of any target.
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError>;

    /// Everything that must hold, in the order of ids.
    fn catalogue(&self) -> Vec<Requirement>;

    /// A request that every target answers in some way, to find out whether anybody is there.
    fn probe(&self) -> Request;

    /// Whether `target` is written as this contract needs it.
    ///
    /// # Errors
    /// When it is not, such as with a base URL that holds a part of the paths: with what is wrong and how to write it.
    fn accepts(&self, _target: &Target) -> Result<(), SetUpError> {
        Ok(())
    }

    /// Asks the first questions and adds to `facts` what the target is and offers; `notes` takes sentences for the report. Nothing is
    /// judged here. An answer of the probe that is no refusal for quotas has come before.
    ///
    /// # Errors
    /// When the run cannot begin, such as with a key that is refused.
    fn preflight<'ask>(
        &'ask self,
        _target: &'ask Target,
        _questions: Questions<'ask>,
        _facts: &'ask mut Facts,
        _notes: &'ask mut Vec<String>,
    ) -> BoxFuture<'ask, Result<(), SetUpError>> {
        futures::future::ready(Ok(())).boxed()
    }

    /// What cases are drawn from.
    fn space(&self, document: Arc<Document>, facts: &Facts) -> Space {
        Space::new(document, &facts.website_id)
    }

    /// Removes what a case that did not pass has left behind.
    fn clean_up<'case>(&'case self, _context: &'case Context) -> BoxFuture<'case, ()> {
        futures::future::ready(()).boxed()
    }

    /// What cases hold of this target alone, such as its ids: by the names that stand for them in a saved case, which another target
    /// shall repeat.
    fn own_texts(&self, _facts: &Facts) -> OwnTexts {
        OwnTexts::new()
    }

    /// Quotas that the target has but announces in no header, by the document.
    fn unannounced_quotas(&self, _document: &Document, _facts: &Facts) -> Vec<Quota> {
        Vec::new()
    }

    /// The name of the one of them that an exchange was charged to.
    fn charged_unannounced(&self, _exchange: &Exchange, _facts: &Facts) -> Option<&'static str> {
        None
    }

    /// How many requests each requirement makes of each quota, measured: lines of `requirement,quota,requests,cases` below a heading.
    fn measured_costs(&self) -> &'static str {
        ""
    }

    /// Which requirements usually meet which part of the document, measured: lines of `part,requirements` below a heading, where the
    /// requirements stand with blanks between them, those that need least first.
    fn measured_coverage(&self) -> &'static str {
        ""
    }

    /// Why no requirement brings `part` about, where that is known.
    fn unreachable(&self, _part: &Part) -> Option<&'static str> {
        None
    }
}

/// Texts that only one target has, such as the id of a website, by the names that stand for them in a saved case.
pub type OwnTexts = BTreeMap<&'static str, String>;

/// The first questions: how the target is asked, and what was answered to the probe.
#[derive(Debug, Clone, Copy)]
pub struct Questions<'ask> {
    /// The way to the target.
    pub channel: &'ask dyn Channel,
    /// What the run demands.
    pub profile: Profile,
    /// The answer to the probe, if there was one.
    pub probed: Option<&'ask Exchange>,
}

impl Questions<'_> {
    /// Sends one request, which belongs to no case.
    ///
    /// # Errors
    /// When there is no usable HTTP answer.
    pub async fn ask(&self, request: Request) -> Result<Exchange, TransportFault> {
        self.channel.exchange(request, &Waits::default()).await
    }
}
