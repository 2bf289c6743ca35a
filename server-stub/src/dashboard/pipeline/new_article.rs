//! Form that queues an article. It sends the same request as the API's `generate`.

use askama::Template;

use super::super::{Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use super::board::WebsiteChoices;
use super::entry::to_entry;
use crate::app::{Error, NewArticle, PipelineError, Place, PublishTime};
use crate::domain::account::Website;

#[derive(Template)]
#[template(path = "dashboard/pipeline/new_article.html")]
struct NewPage {
    layout: Layout,
    /// Active websites.
    websites: Vec<Website>,
    typed: Form,
    errors: FieldErrors,
    /// Articles that the account has queued today, and its limit.
    of_day: Option<(u64, u32)>,
}

/// Shows the form. The query may contain a website and a topic.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let websites: Vec<_> = WebsiteChoices::of(&visit).await?.active().cloned().collect();
    let chosen = websites.iter().find(|website| website.website_id == query.text("website_id")).or(websites.first());
    let publishes = chosen.is_none_or(|website| website.auto_publish);
    let has_when = matches!(query.text("when"), "now" | "approval" | "at");
    let typed = if has_when { query } else { query.with("when", if publishes { "now" } else { "approval" }) };
    Ok(visit.page(&page(&visit, websites, typed, FieldErrors::default()).await?))
}

/// Queues the article.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let text = |name| form.text(name).to_owned();
    let wanted = NewArticle {
        website_id: text("website_id"),
        topic: text("topic"),
        keywords: form.lines("keywords"),
        words: text("words"),
        language: text("language"),
    };
    let time = match form.text("when") {
        "now" => Some(PublishTime::Now),
        "at" => Some(PublishTime::At(form.text("publish_at"))),
        _ => None,
    };
    match visit.app().queue_article(&visit.visibility(), &wanted, time).await {
        Ok(post_id) => Ok(to_entry(&visit, &post_id, Notice::ArticleQueued)),
        Err(error) => {
            let errors = at_fields(error)?;
            let websites = WebsiteChoices::of(&visit).await?.active().cloned().collect();
            Ok(visit.form_again(&page(&visit, websites, form, errors).await?))
        }
    }
}

async fn page(visit: &Visit, websites: Vec<Website>, typed: Form, errors: FieldErrors) -> Result<NewPage> {
    let of_day = visit.app().jobs_of_day(visit.account()).await?;
    Ok(NewPage { layout: visit.layout("Queue an article", Section::Pipeline), websites, typed, errors, of_day })
}

/// Assigns the errors to their fields.
fn at_fields(error: PipelineError) -> Result<FieldErrors, Failure> {
    let mut errors = FieldErrors::default();
    match error {
        PipelineError::Time(error) => errors.add("publish_at", &error.to_string()),
        PipelineError::Request(Error::Validation(violations)) => {
            for violation in violations.listed() {
                let Place::Pointer(pointer) = &violation.place else { continue };
                let (field, name) = match pointer.split('/').nth(1) {
                    Some("topic") => ("topic", "the topic"),
                    Some("keywords") if pointer.ends_with("/keywords") => ("keywords", "the list of keywords"),
                    Some("keywords") => ("keywords", "each keyword"),
                    Some("target_word_count") => ("words", "the number of words"),
                    Some("language") => ("language", "the language"),
                    Some("publish_at") => ("publish_at", "the time"),
                    _ => ("website_id", "the website"),
                };
                // Shows only the first error of each field.
                if errors.of(field).is_empty() {
                    errors.add(field, &format!("{name} {}", violation.detail));
                }
            }
        }
        PipelineError::Request(Error::WebsiteNotFound) => {
            errors.add("website_id", "choose one of your websites");
        }
        PipelineError::Request(Error::WebsiteInactive) => {
            errors.add("website_id", "this website is paused or archived; activate it first, or choose another one");
        }
        PipelineError::Request(Error::QueueFull) => {
            errors.add("topic", "the queue is full; try again when some articles are finished, or cancel some");
        }
        PipelineError::Request(error @ Error::DayFull(_)) => errors.add("topic", &error.to_string()),
        other => return Err(other.into()),
    }
    Ok(errors)
}
