//! Jobs that run at once keep apart.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps::{self, lists};
use crate::strategies::Draw;

const JOBS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("ids.jobs.no-crosstalk", "Concurrent jobs never mix: job, article and pipeline entry hold only the topic, keywords and metadata of their own request.", "openapi.yaml, Job, Article and ScheduledPost", no_crosstalk)
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
        for member in ["topic", "metadata", "website_id"] {
            demand::same(&format!("{member} of the job"), &body[member], &job[member])?;
            demand::same(&format!("{member} of the article"), &body[member], &article[member])?;
        }
        // A writer may find words of its own, but not those of another job.
        let taken = bodies.iter().filter(|other| *other != body).map(|other| &other["keywords"][0]);
        let own = article["keywords"].as_array().cloned().unwrap_or_default();
        let crossed = taken.into_iter().find(|keyword| own.contains(keyword));
        ensure(crossed.is_none(), "no keyword of another job", || crossed.map_or_else(String::new, demand::brief))?;
        demand::same("job_id of the article", &job["job_id"], &article["job_id"])?;
        let entries = lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
        ensure(entries.len() == 1, "one pipeline entry of the job", || entries.len().to_string())?;
        demand::same("topic of the entry", &body["topic"], &entries[0]["topic"])?;
        demand::same("article_id of the entry", &article["id"], &entries[0]["article_id"])?;
        ensure(seen.insert(article["id"].to_string()), "an article of its own", || article["id"].to_string())?;
    }
    Ok(())
}
