//! Concurrent jobs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Look, Requirement, Verdict, demand, ensure};
use crate::steps::{self, pipeline};
use crate::strategies::Draw;

const JOBS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "ids.jobs.no-crosstalk",
            "Concurrent jobs never mix: a job, its article and its scheduled post have the topic and metadata of their request, and no keyword of another job.",
            &[
                Sentence("The topic as sent."),
                Sentence("The metadata of the request; empty if it had none."),
                Sentence("Website of the article."),
                Sentence("Job that wrote the article."),
                Sentence("Job that writes the article."),
                Sentence("Id of the article once it is written."),
                Sentence(
                    "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
                ),
            ],
            no_crosstalk,
        )
        .needs(JOBS)
        .drawn("2 to 8 jobs at once", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.below(7) + 2)),
    ]
}

async fn no_crosstalk(context: Context, count: Value) -> Verdict {
    let bodies: Vec<Value> = (0..count.as_u64().unwrap_or(2))
        .map(|number| {
            let mark = context.fresh("mark");
            let mut body = steps::quiet_request(&context, &format!("Sorting drawer {number} of many, {mark}"));
            body["keywords"] = json!([format!("drawer {number}")]);
            body["metadata"] = json!({ "mark": mark, "number": number.to_string() });
            body
        })
        .collect();
    let written = bodies.iter().map(|body| steps::written(&context, body));
    let mut seen = BTreeSet::new();
    for (body, (job, article)) in bodies.iter().zip(futures::future::try_join_all(written).await?) {
        let article = demand::json(&article)?;
        for field in ["topic", "metadata", "website_id"] {
            demand::same(&format!("{field} of the job"), &body[field], &job[field])?;
            demand::same(&format!("{field} of the article"), &body[field], &article[field])?;
        }
        // A writer may choose other keywords, but not those of another job.
        let taken = bodies.iter().filter(|other| *other != body).map(|other| &other["keywords"][0]);
        let own = article["keywords"].as_array().cloned().unwrap_or_default();
        let crossed = taken.into_iter().find(|keyword| own.contains(keyword));
        ensure(crossed.is_none(), "no keyword of another job", || crossed.map_or_else(String::new, demand::brief))?;
        demand::same("job_id of the article", &job["job_id"], &article["job_id"])?;
        has_own_post(&context, body, demand::text(&job, "job_id")?, &article["id"]).await?;
        ensure(seen.insert(article["id"].to_string()), "a different article per job", || article["id"].to_string())?;
    }
    Ok(())
}

/// Waits until the only scheduled post of the job has the article. The scheduled post may follow the job with a delay.
async fn has_own_post(context: &Context, body: &Value, job_id: &str, article_id: &Value) -> Verdict {
    let look = || async move {
        let entries = pipeline::entries_of(context, job_id).await?;
        ensure(entries.len() == 1, "one scheduled post of the job", || entries.len().to_string())?;
        demand::same("topic of the scheduled post", &body["topic"], &entries[0]["topic"])?;
        let same = demand::same("article_id of the scheduled post", article_id, &entries[0]["article_id"]);
        Ok(same.map_or_else(Look::NotYet, Look::Found))
    };
    context.eventually(context.grace(), look).await
}
