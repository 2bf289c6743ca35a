//! What is taken for members that a request leaves out.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::lists::List;
use crate::steps::{self, lists, operations};

const WEBSITE: &[Capability] = &[Capability::WEBSITES, Capability::PIPELINE, Capability::JOBS];

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.defaults.website",
            "A request without auto_publish and language takes those of the website.",
            "openapi.yaml, GenerateRequest",
            website,
        )
        .needs(WEBSITE),
        Requirement::must(
            "generate.defaults.length",
            "An article that was requested without target_word_count has about 1200 words, give or take 15 %.",
            "openapi.yaml, GenerateRequest target_word_count",
            length,
        )
        .should()
        .drawn("the default", Cases::Exactly(1), |space, _| {
            operations::member(space.document(), "target_word_count")["default"].clone()
        })
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

async fn length(context: Context, default: Value) -> Verdict {
    let usual = default.as_i64().unwrap_or(0);
    let mut body = steps::quiet_request(&context, "Writing as much as is usual");
    body.as_object_mut().map(|members| members.remove("target_word_count"));
    let (_, article) = steps::written(&context, &body).await?;
    let words = demand::json(&article)?["word_count"].as_i64().unwrap_or(0);
    ensure((words - usual).abs() * 100 <= usual * 15, format!("{usual} words, 15 % allowed"), || words.to_string())
}
