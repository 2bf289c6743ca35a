//! Steps that change the ids of existing records a little.

use serde_json::json;

use crate::check::{Context, Halt, Request, Verdict, demand, ensure};
use crate::steps;

/// Returns the operations that read a job, its article and its scheduled post. Each has its path, the field with the id, and the id.
pub(crate) async fn places(context: &Context) -> Result<Vec<(&'static str, &'static str, &'static str, String)>, Halt> {
    let (job, _) = steps::some_article(context).await?;
    let mut places = vec![
        ("get_job", "/jobs/", "job_id", demand::text(&job, "job_id")?.to_owned()),
        ("get_article", "/articles/", "id", demand::text(&job, "article_id")?.to_owned()),
    ];
    // A job may lack it.
    if let Some(id) = job["scheduled_post_id"].as_str() {
        places.push(("get_scheduled_post", "/scheduled_posts/", "id", id.to_owned()));
    }
    Ok(places)
}

/// Demands that `segment`, a changed id, does not return the same record. It may be the id of another record.
pub(crate) async fn elsewhere(
    context: &Context,
    place: &(&'static str, &'static str, &'static str, String),
    segment: &str,
) -> Verdict {
    let (operation, path, member, id) = place;
    let exchange = context.send(Request::new(operation, "GET", &format!("{path}{segment}"))).await?;
    let is_same = exchange.succeeded() && demand::json(&exchange)?[*member] == json!(id);
    ensure(!is_same, format!("404 or another record for {segment}"), || demand::seen(&exchange))
}
