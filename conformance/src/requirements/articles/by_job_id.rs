//! The job's id fetches the same article as its own id, now and after it changed.

use serde_json::Value;

use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::orders::plain;
use crate::steps::publishing::{published, scheduled};

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, get_article and Article";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.by-job-id.same", "The id of a completed job returns the same article as the article's own id: the body holds the article's own id, and Content-Location names it.", SOURCE, by_job_id)
            .needs(JOBS)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must(
            "articles.by-job-id.own-location",
            "Content-Location holds the article's canonical address, also where it is read by its own id.",
            "openapi.yaml, get_article and Content-Location",
            own_location,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.by-job-id.follows-change",
            "The id of a job always returns the current article: after the article is published, it returns the published one, as the article's own id does.",
            "openapi.yaml, get_article: the id may be the article's or that of the job",
            follows_change,
        )
        .needs(JOBS).background(),
    ]
}

async fn by_job_id(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, article) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::status(&other, 200)?;
    demand::same("the article", demand::json(&article)?, demand::json(&other)?)?;
    demand::same("its id", &job["article_id"], &demand::json(&other)?["id"])?;
    let location = demand::header(&other, "content-location")?;
    let path = steps::local_path(&context, &other.request.path, location)?;
    let wanted = format!("/api/v1/articles/{}", demand::text(&job, "article_id")?);
    ensure(path == wanted, format!("Content-Location {wanted}"), || path.clone())
}

async fn follows_change(context: Context, _: Value) -> Verdict {
    let (job_id, early) = scheduled(&context, "Reading a letter twice").await?;
    let late = published(&context, &early).await?;
    let again = context.send(steps::get_article(&job_id)).await?;
    demand::status(&again, 200)?;
    demand::same("the article under the job's id", demand::json(&late)?, demand::json(&again)?)
}

async fn own_location(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "Knowing where one stands")).await?;
    // Only where it was read by the job's id is it always there.
    let Some(location) = article.header("content-location") else { return Ok(()) };
    let path = steps::local_path(&context, &article.request.path, location)?;
    let wanted = format!("/api/v1/articles/{}", demand::text(&job, "article_id")?);
    ensure(path == wanted, format!("Content-Location {wanted}"), || path.clone()).about(&article)
}
