//! Queues an article for a user of the dashboard, with the same checks and limits as `generate`.

use serde_json::{Map, Value, json};

use super::super::{App, Submitter};
use super::entry::PipelineError;
use super::publish_time::PublishTime;
use crate::domain::time_zone::TimeZone;
use crate::domain::visibility::Visibility;

/// Form fields of a new article, as typed. Empty fields use the website's defaults.
#[derive(Debug, Clone, Default)]
pub struct NewArticle {
    /// Id of the website.
    pub website_id: String,
    /// Topic of the article.
    pub topic: String,
    /// Search phrases.
    pub keywords: Vec<String>,
    /// Number of words.
    pub words: String,
    /// BCP 47 tag of the language.
    pub language: String,
}

impl App {
    /// Queues an article and returns the id of its post. With `time`, the article is published at that time without approval.
    pub async fn queue_article(
        &self,
        visibility: &Visibility,
        wanted: &NewArticle,
        time: Option<PublishTime<'_>>,
    ) -> Result<String, PipelineError> {
        let mut body = wanted.body();
        body.insert("auto_publish".to_owned(), json!(time.is_some()));
        if let Some(time) = time {
            let website = self.store.find_website(&wanted.website_id).await?;
            let website = website.filter(|website| visibility.sees(&website.account_id, &website.website_id));
            // If the website does not exist, `generate` refuses the request below.
            let zone = TimeZone::or_utc(website.as_ref().map_or("UTC", |website| &website.time_zone));
            if let Some(publish_at) = time.moment(zone, self.clock.wall())? {
                body.insert("publish_at".to_owned(), json!(publish_at));
            }
        }
        let checked = self.check_generate_body(&Value::Object(body), true, None);
        let accepted = self.generate(visibility, checked, Submitter::User).await?;
        let job = self.store.find_job(&accepted.job_id).await?;
        job.map(|job| job.scheduled_post_id).ok_or(PipelineError::NotFound)
    }
}

impl NewArticle {
    /// Returns the equivalent body of a `generate` request.
    fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("website_id".to_owned(), json!(self.website_id));
        body.insert("topic".to_owned(), json!(self.topic));
        if !self.keywords.is_empty() {
            body.insert("keywords".to_owned(), json!(self.keywords));
        }
        if !self.words.is_empty() {
            // Text that is not a number stays a string, which the schema check refuses.
            let words = self.words.parse::<u32>().map_or_else(|_| json!(self.words), |words| json!(words));
            body.insert("target_word_count".to_owned(), words);
        }
        if !self.language.is_empty() {
            body.insert("language".to_owned(), json!(self.language));
        }
        body
    }
}
