//! Reading an article by the id of its job.

use serde_json::{Map, Value};

use crate::check::Source::Sentence;
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Look, Requirement, Verdict, demand, ensure,
};
use crate::steps;
use crate::steps::draws::plain;
use crate::steps::publishing::{published, scheduled};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.by-job-id.same",
            "The id of a completed job returns the same article as the article's own id: `id` is the article's, and Content-Location has its address.",
            &[
                Sentence("`id` may be the article's id or the id of its job."),
                Sentence("`id` in the body is always the article's, and `Content-Location` has its canonical address."),
                Sentence("Always present if the request used the id of the job."),
                Sentence("The article that the job writes; 404 `article_not_ready` until the job has ended."),
                Sentence("The article, once the job has completed."),
            ],
            by_job_id,
        )
        .needs(JOBS)
        .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::new(
            "articles.by-job-id.own-location",
            "If a response to the article's own id has Content-Location, it is the article's canonical address.",
            &[
                Sentence("`id` in the body is always the article's, and `Content-Location` has its canonical address."),
                Sentence("Canonical address of the article."),
            ],
            own_location,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.by-job-id.follows-change",
            "After an article is published, the id of its job returns the published article, as the article's own id does.",
            &[Sentence("`id` may be the article's id or the id of its job.")],
            follows_change,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn by_job_id(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, article) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::status(&other, 200)?;
    let shown = documented(&context, demand::json(&other)?);
    demand::same("the article", &documented(&context, demand::json(&article)?), &shown)?;
    demand::same("id of the article", &job["article_id"], &shown["id"])?;
    let location = demand::header(&other, "content-location")?;
    is_address_of(&context, demand::text(&job, "article_id")?, &other, location)
}

async fn follows_change(context: Context, _: Value) -> Verdict {
    let (job_id, early) = scheduled(&context, "Reading a letter twice").await?;
    let late = published(&context, &early).await?;
    let id = demand::text(demand::json(&late)?, "id")?;
    let (context, job_id) = (&context, job_id.as_str());
    let look = || async move {
        let before = shown(context, id).await?;
        let by_job = shown(context, job_id).await?;
        if before != shown(context, id).await? {
            return Ok(Look::NotYet(Halt::inconclusive("the article changed from one request to the next")));
        }
        let same = demand::same("the article under the job's id", &before, &by_job);
        Ok(same.map_or_else(Look::NotYet, Look::Found))
    };
    context.eventually(context.grace(), look).await
}

async fn shown(context: &Context, id: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_article(id)).await?;
    demand::status(&exchange, 200)?;
    Ok(documented(context, demand::json(&exchange)?))
}

/// Returns the documented fields of an article that are not null. Leaves out the address of the picture: a signed address differs in each
/// response.
fn documented(context: &Context, article: &Value) -> Value {
    let known = &context.document().schema("Article")["properties"];
    let fields = article.as_object().into_iter().flatten();
    let fields = fields.filter(|(name, value)| known.get(name.as_str()).is_some() && !value.is_null());
    let mut fields: Map<String, Value> = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
    if let Some(image) = fields.get_mut("hero_image").and_then(Value::as_object_mut) {
        image.remove("url");
    }
    Value::Object(fields)
}

async fn own_location(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "Knowing where one stands")).await?;
    // Content-Location is required only if the request used the job's id.
    let Some(location) = article.header("content-location") else { return Ok(()) };
    is_address_of(&context, demand::text(&job, "article_id")?, &article, location)
}

/// Demands that the `location` in a response is the address of the article, in any percent-encoding.
fn is_address_of(context: &Context, id: &str, exchange: &Exchange, location: &str) -> Verdict {
    let path = steps::local_path(context, &exchange.request.path, location)?;
    let wanted = steps::get_article(id).path;
    let segments = |path: &str| path.split('/').map(steps::percent_decoded).collect::<Vec<_>>();
    let is_same = segments(&path) == segments(&wanted);
    ensure(is_same, format!("Content-Location {wanted}"), || path.clone()).about(exchange)
}
