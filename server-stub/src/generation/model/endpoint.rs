//! Sends requests to the endpoint in the strictest form that it accepts, and counts every request. The content is in `prompt`.

use std::iter::successors;
use std::time::Duration;

use tokio::time::Instant;

use crate::domain::language_model::ModelUsage;
use crate::generation::UsageMeter;

use super::failure::ModelFailure;
use super::providers::{Message, OutputShape, Request};
use super::reply::{Ending, Reply, Tokens};
use super::request_form::{FormMemory, RequestForm};
use super::response::{Answer, NoAnswer};
use super::settings::ModelSettings;
use super::transport::Transport;

/// Approximate number of characters per token in English.
const CHARS_PER_TOKEN: u64 = 4;

/// One endpoint with one model.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) settings: ModelSettings,
    pub(super) transport: Transport,
    pub(super) memory: FormMemory,
}

/// A request's response with the accepted form and the duration.
#[derive(Debug)]
pub(super) struct Exchanged {
    pub(super) reply: Reply,
    pub(super) form: RequestForm,
    pub(super) took: Duration,
}

impl Endpoint {
    pub(super) fn new(settings: ModelSettings, transport: Transport) -> Self {
        let memory = FormMemory::new(settings.provider.first_form(&settings.base_url, settings.max_output_tokens));
        Self { settings, transport, memory }
    }

    /// Asks the model for a reply. Loosens the form of the request until the endpoint accepts it, and remembers that form.
    pub(super) async fn ask(
        &self,
        system: &str,
        messages: &[Message],
        shape: &OutputShape,
        meter: &UsageMeter,
    ) -> Result<Exchanged, ModelFailure> {
        let ModelSettings { provider, model, timeout, .. } = &self.settings;
        let request = Request { model, system, messages, shape };
        let mut form = self.memory.recall();
        loop {
            let began = Instant::now();
            let body = provider.body(&request, form);
            let answer =
                self.transport.post(provider.call(), &body, |tried| self.count_failed(&request, tried, meter)).await;
            let answer = match answer {
                Ok(answer) if answer.status.is_success() => answer,
                answer => {
                    self.count_failed(&request, &answer, meter);
                    let answer = answer.map_err(|error| ModelFailure::of(error, *timeout))?;
                    let failure = ModelFailure::of_answer(&answer).unwrap_or(ModelFailure::NotTheApi);
                    let is_too_long = matches!(failure, ModelFailure::TooLong(_));
                    if !failure.is_about_the_form() {
                        return Err(failure);
                    }
                    // Some forms give the same request.
                    let forms = successors(Some(form), |form| form.after_refusal(&answer.body, is_too_long));
                    let mut others = forms.filter(|form| provider.body(&request, *form) != body);
                    let Some(next) = others.next() else { return Err(failure) };
                    tracing::info!(status = answer.status.as_u16(), form = ?next, "the endpoint is asked in another form");
                    form = next;
                    continue;
                }
            };
            let Some(reply) = Reply::read(*provider, &answer.body) else {
                self.count_failed(&request, &Ok(answer), meter);
                return Err(ModelFailure::NotTheApi);
            };
            self.memory.remember(form);
            self.count_reply(&request, &reply, meter);
            return match reply.ending {
                Ending::Refused => Err(ModelFailure::Refused),
                Ending::Whole | Ending::CutOff => Ok(Exchanged { reply, form, took: began.elapsed() }),
            };
        }
    }

    /// Counts a request without a reply of the model. If the response was interrupted or late, the model has read the request
    /// anyway.
    fn count_failed(&self, request: &Request<'_>, answer: &Result<Answer, NoAnswer>, meter: &UsageMeter) {
        let was_read = match answer {
            Ok(answer) => answer.was_begun,
            Err(error) => matches!(error, NoAnswer::TimedOut | NoAnswer::BrokenOff | NoAnswer::TooLarge),
        };
        let input = if was_read { estimate(request.count_chars()) } else { 0 };
        meter.add(&ModelUsage {
            failed_requests: 1,
            is_estimated: was_read,
            ..self.usage(Tokens { input, output: 0 })
        });
    }

    fn count_reply(&self, request: &Request<'_>, reply: &Reply, meter: &UsageMeter) {
        let told = reply.tokens.filter(|tokens| tokens.input > 0 || tokens.output > 0);
        let written = || reply.texts.iter().map(|text| text.chars().count()).sum();
        let estimated = || Tokens { input: estimate(request.count_chars()), output: estimate(written()) };
        meter.add(&ModelUsage {
            failed_requests: u32::from(reply.ending == Ending::Refused),
            is_estimated: told.is_none(),
            ..self.usage(told.unwrap_or_else(estimated))
        });
    }

    /// Returns the usage of one request with these tokens.
    fn usage(&self, tokens: Tokens) -> ModelUsage {
        ModelUsage {
            writer: self.settings.writer_name(),
            requests: 1,
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            cost_nanodollars: self.settings.prices.map(|prices| prices.cost(tokens.input, tokens.output)),
            ..ModelUsage::default()
        }
    }
}

fn estimate(chars: usize) -> u64 {
    u64::try_from(chars).unwrap_or(u64::MAX).div_ceil(CHARS_PER_TOKEN)
}
