//! Faults in the state of an article.

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::records::edit_articles;
use crate::memory::Memory;
use crate::message::{Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("state.scheduled-as-draft", "A scheduled article has the status draft.", &["articles.scheduled.waits"])
        .response(|response, request, _| {
            edit_articles(response, request, |article| {
                if article["status"] == "scheduled" {
                    article["status"] = json!("draft");
                }
            });
        }),
    fault("state.draft-with-url", "A draft already has a url.", &["articles.published.together"]).response(
        |response, request, _| {
            edit_articles(response, request, |article| {
                if article["url"].is_null() {
                    let slug = article["slug"].as_str().unwrap_or_default();
                    article["url"] = json!(format!("https://drafts.example/{slug}"));
                }
            });
        },
    ),
    fault("state.url-elsewhere", "The url of a published article does not exist.", &["articles.published.together"])
        .response(|response, request, _| {
            let Some(host) = request.header("host") else { return };
            edit_articles(response, request, |article| {
                if article["url"].is_string() {
                    let slug = article["slug"].as_str().unwrap_or_default();
                    article["url"] = json!(format!("http://{host}/moved-away/{slug}"));
                }
            });
        }),
    fault("state.slug-twice", "Articles on the same topic have the same slug.", &["articles.slug.unique"])
        .response(slug_twice),
];

fn slug_twice(response: &mut Response, request: &Request, memory: &Memory) {
    edit_articles(response, request, |article| {
        let slot = format!("slug of {}", article["id"]);
        if article["topic"].is_string() {
            let topic = format!("slug for {} in {}", article["topic"], article["website_id"]);
            memory.put(&slot, memory.get_or_put(&topic, article["slug"].clone()));
        }
        // Rows of a list have no topic.
        if let Some(slug) = memory.get(&slot) {
            article["slug"] = slug;
        }
    });
}
