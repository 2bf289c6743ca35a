//! Defaults of fields that a request leaves out.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand};
use crate::steps::lists::List;
use crate::steps::{self, lists};

const WEBSITE: &[Capability] = &[Capability::WEBSITES, Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.defaults.website",
            "A request without auto_publish and language takes those of the website.",
            "openapi.yaml, GenerateRequest",
            website,
        )
        .needs(WEBSITE),
    ]
}

/// The row of the website under test.
async fn own_website(context: &Context) -> Result<Value, Halt> {
    let list = List::named("/websites");
    let id = &context.facts().website_id;
    let mut query = "limit=100".to_owned();
    for _ in 0..10 {
        let exchange = lists::page(context, list, &query).await?;
        let page = demand::json(&exchange)?;
        if let Some(row) = lists::rows(page).iter().find(|row| row[list.id] == id.as_str()) {
            return Ok(row.clone());
        }
        match lists::next_of(page) {
            Some(next) => query = lists::with_token("limit=100", next),
            None => break,
        }
    }
    Err(Halt::inconclusive(format!("the website {id} is not among the first listed")))
}

fn documented(context: &Context, topic: &str) -> Value {
    json!({ "topic": topic, "website_id": context.facts().website_id })
}

async fn website(context: Context, _: Value) -> Verdict {
    let website = own_website(&context).await?;
    let (job, article) = steps::written(&context, &documented(&context, "Leaving the rest to the website")).await?;
    let entries = lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    demand::same("auto_publish of the entry", &website["auto_publish"], &entry["auto_publish"])?;
    demand::same("language of the article", &website["language"], &demand::json(&article)?["language"])
}
