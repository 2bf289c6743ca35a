//! Truncated payloads for events whose object is too large: enough to identify and fetch it, with the number of omitted parts.
//! `event` decides when to use them.

use serde_json::{Map, Value, json};

use super::article::ArticleSummary;
use super::job::Job;
use super::lead::{Lead, LeadSource};
use super::personal::Personal;

/// Returns the data of an article without excerpt, keywords, tags and its `metadata_count` labels.
pub(super) fn article(article: &ArticleSummary, post_id: &str, metadata_count: usize) -> Value {
    let left_out =
        usize::from(!article.excerpt.is_empty()) + article.keywords.len() + article.tags.len() + metadata_count;
    let truncated =
        ArticleSummary { excerpt: String::new(), keywords: Vec::new(), tags: Vec::new(), ..article.clone() };
    let mut data =
        json!({ "article": truncated, "job_id": article.job_id, "scheduled_post_id": post_id, "metadata": {} });
    note(&mut data, left_out);
    data
}

/// Returns the data of a lead without its message, its fields, its source and its consent text.
pub(super) fn lead(lead: &Lead) -> Value {
    let source = &lead.source;
    let parts = [&lead.message, &lead.consent.text, &source.page_url, &source.referrer, &source.form_id];
    let left_out = parts.iter().filter(|part| part.is_some()).count() + lead.fields.len() + source.utm.len();
    let mut truncated = lead.clone();
    (truncated.message, truncated.consent.text) = (None, None);
    truncated.fields = Personal::default();
    truncated.source = LeadSource::default();
    let mut data = json!({ "lead": truncated });
    note(&mut data, left_out);
    data
}

/// Returns the data of a job without its metadata.
pub(super) fn job(job: &Job) -> Value {
    let mut data = json!({ "job": job.view() });
    let metadata = std::mem::replace(&mut data["job"]["metadata"], Value::Object(Map::new()));
    note(&mut data, metadata.as_object().map_or(0, Map::len));
    data
}

fn note(data: &mut Value, left_out: usize) {
    if left_out > 0 {
        data["left_out"] = left_out.into();
    }
}
