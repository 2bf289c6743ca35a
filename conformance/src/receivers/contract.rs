//! The contract of receivers.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt as _};
use http::StatusCode;

use super::rules;
use super::sender::Sender;
use crate::check::{Capability, Exchange, Facts, Request, Requirement};
use crate::runner::{Account, Contract, Limits, Questions, SetUpError, Target};
use crate::spec::{Document, Profile, SpecError};

/// A way to ask how many effects an event had.
pub(crate) const EFFECTS: Capability =
    Capability::new("effects", "no command counts the effects of an event (--effects)");

/// API key of the target, which is no secret. A receiver needs none.
const NO_KEY: &str = "receivers-get-no-key";

/// The contract of receivers: the document's webhooks and Standard Webhooks 1.0.0.
#[derive(Debug, Clone)]
pub struct WebhookReceiver {
    sender: Sender,
}

impl WebhookReceiver {
    /// Returns the contract, and the target for the receiver of `sender`. Its `flag` is not set.
    pub fn new(sender: Sender) -> (Self, Target) {
        let mut target = Target::new(sender.origin(), Account { api_key: NO_KEY.to_owned(), website_id: None });
        // A slow answer is a finding with its time.
        target.limits = Limits { timeout: 2 * sender.answer_within(), ..Limits::default() };
        (Self { sender }, target)
    }

    /// Returns all requirements for receivers, in the order of ids.
    pub fn requirements(&self) -> Vec<Requirement> {
        rules::requirements(&self.sender)
    }
}

impl Contract for WebhookReceiver {
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError> {
        Ok(Arc::new(Document::embedded(profile)?.without_operations()))
    }

    fn catalogue(&self) -> Vec<Requirement> {
        self.requirements()
    }

    fn probe(&self) -> Request {
        self.sender.unsigned()
    }

    fn preflight<'ask>(
        &'ask self,
        target: &'ask Target,
        questions: Questions<'ask>,
        facts: &'ask mut Facts,
        _: &'ask mut Vec<String>,
    ) -> BoxFuture<'ask, Result<(), SetUpError>> {
        // A receiver may show the secret without its prefix.
        let secret = self.sender.secret();
        for text in [secret, secret.trim_start_matches("whsec_")] {
            facts.secrets = facts.secrets.clone().and(Some(text.to_owned()));
        }
        if self.sender.knows_effects() {
            facts.capabilities.insert(EFFECTS);
        }
        // A receiver may hide from requests that are not signed.
        let is_hidden = questions.probed.is_some_and(is_missing);
        async move {
            if is_hidden && questions.ask(self.sender.test()).await.is_ok_and(|answer| is_missing(&answer)) {
                return Err(SetUpError::Target(format!(
                    "{}{} answered 404 to a signed event: check the path of the receiver",
                    target.base_url,
                    self.sender.path()
                )));
            }
            Ok(())
        }
        .boxed()
    }

    fn feature(&self, requirement: &Requirement) -> &'static str {
        requirement.id.split('.').nth(1).unwrap_or(requirement.id)
    }

    fn command(&self) -> &'static str {
        "receiver"
    }
}

fn is_missing(answer: &Exchange) -> bool {
    answer.status == StatusCode::NOT_FOUND.as_u16()
}
