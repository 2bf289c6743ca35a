//! What a hook about an article says, and that pipeline, article and hook tell one story.
//!
//! That it comes, and not too early, is in `hooks` and `publish_times`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::steps_hooks;
use super::steps_lists;
use super::steps_times::moment;
use super::verdict::{Halt, Verdict, ensure};

const ALL: &[Capability] = &[Capability::Hooks, Capability::Jobs, Capability::Pipeline];

/// Members of an article that do not change once it is published.
const LASTING: [&str; 9] =
    ["id", "job_id", "website_id", "title", "slug", "language", "word_count", "reading_time_minutes", "created_at"];

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.article.same-as-read",
            "data.article of article.published is the article as it can be read: published, with its url and published_at, and the same in every member that lasts.",
            "openapi.yaml, ArticlePublishedData and ArticleSummary, x-conformance article-published",
            same_as_read,
        ),
        Requirement::must(
            "hooks.article.names-origin",
            "data.job_id is the job that wrote the article and data.scheduled_post_id its entry in the pipeline.",
            "openapi.yaml, ArticlePublishedData",
            names_origin,
        ),
        Requirement::must(
            "hooks.article.one-moment",
            "published_at of the entry, published_at of the article and timestamp of the hook tell one moment, a second or two aside.",
            "openapi.yaml, ScheduledPost, ArticleSummary and HookEnvelope",
            one_moment,
        )
        .should(),
    ];
    all.into_iter().map(|requirement| requirement.needs(ALL).background()).collect()
}

/// A published article: its job, the article as it is read after the hook, and the hook's envelope.
async fn announced(context: &Context, topic: &str) -> Result<(Value, Value, Value), Halt> {
    let (job, article) = steps::written(context, &steps::published_request(context, topic)).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let hook = steps_hooks::first_mention(context, &id).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    let article = context.send(steps::get_article(&id)).await?;
    Ok((job, demand::json(&article)?.clone(), envelope))
}

async fn same_as_read(context: Context, _: Value) -> Verdict {
    let (_, article, envelope) = announced(&context, "Telling the same story twice").await?;
    let told = &envelope["data"]["article"];
    for member in LASTING {
        demand::same(&format!("{member} in the hook"), &article[member], &told[member])?;
    }
    demand::same("status in the hook", &json!("published"), &told["status"])?;
    demand::same("url in the hook", &article["url"], &told["url"])?;
    demand::text(told, "url")?;
    demand::same("published_at in the hook", &article["published_at"], &told["published_at"])?;
    demand::text(told, "published_at").map(|_| ())
}

async fn names_origin(context: Context, _: Value) -> Verdict {
    let (job, _, envelope) = announced(&context, "Saying where a story comes from").await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = steps_lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    for (member, wanted) in [("job_id", &json!(job_id)), ("scheduled_post_id", &entry["id"])] {
        // Either may be null.
        let told = &envelope["data"][member];
        ensure(told.is_null() || told == wanted, format!("{member} {wanted}"), || demand::brief(told))?;
    }
    Ok(())
}

async fn one_moment(context: Context, _: Value) -> Verdict {
    let (job, article, envelope) = announced(&context, "Telling when it happened").await?;
    let entries = steps_lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    let published = moment(&article, "published_at")?;
    for (what, told) in [("the entry", moment(entry, "published_at")?), ("the hook", moment(&envelope, "timestamp")?)] {
        let apart = (told - published).num_milliseconds().abs();
        ensure(apart <= 2_000, format!("one moment in the article and {what}"), || format!("{apart} ms apart"))?;
    }
    Ok(())
}
