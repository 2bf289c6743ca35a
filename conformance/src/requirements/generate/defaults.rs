//! What is taken for members that a request leaves out.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::lists;
use crate::steps::lists::List;

const WEBSITE: &[Capability] = &[Capability::WEBSITES, Capability::PIPELINE, Capability::JOBS];

const JOBS: &[Capability] = &[Capability::JOBS];

/// The number of words that is meant when none is asked for.
const WORDS: i64 = 1_200;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.defaults.website",
            "Without auto_publish and language those of the website are meant.",
            "openapi.yaml, GenerateRequest",
            website,
        )
        .needs(WEBSITE),
        Requirement::must(
            "generate.defaults.length",
            "Without target_word_count an article has about 1200 words; 15 % are allowed.",
            "openapi.yaml, GenerateRequest target_word_count",
            length,
        )
        .should()
        .needs(JOBS),
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

async fn length(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Writing as much as is usual");
    body.as_object_mut().map(|members| members.remove("target_word_count"));
    let (_, article) = steps::written(&context, &body).await?;
    let words = demand::json(&article)?["word_count"].as_i64().unwrap_or(0);
    ensure((words - WORDS).abs() * 100 <= WORDS * 15, format!("{WORDS} words, 15 % allowed"), || words.to_string())
}
