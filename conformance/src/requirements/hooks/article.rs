//! The hook about a published article: it comes, once, in time, and says what the API says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::request::is_json_post;
use crate::check::{Capability, Context, Halt, Look, Requirement, Verdict, demand, ensure, ensure_met};
use crate::inbox::{HookAnswer, HookRequest};
use crate::spec::Profile;
use crate::steps::hooks::{AFTER_HOOK, article_hook, article_hook_due, first_mention};
use crate::steps::payloads::{event_of, is_thin, same_shape};
use crate::steps::retries::{attempts, no_retry, patience};
use crate::steps::times::{moment, server_now, written_at};
use crate::steps::{self, articles, lists, publishing};

const SOURCE: &str = "service description, section 6";

const ARTICLE: &[Capability] = &[Capability::HOOKS];

const ARTICLE_JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

const ALL: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::PIPELINE];

/// Members of an article that do not change once it is published.
const LASTING: [&str; 9] =
    ["id", "job_id", "website_id", "title", "slug", "language", "word_count", "reading_time_minutes", "created_at"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.article.sent",
            "Publishing an article sends a request to the registered URL that identifies the article.",
            SOURCE,
            article_sent,
        )
        .core()
        .needs(ARTICLE).background(),
        Requirement::must(
            "hooks.article.readable",
            "When a hook about an article arrives, the article can be read through the API and is published; core allows 5 s in between.",
            "openapi.yaml, x-webhooks article.published",
            article_readable,
        )
        .core()
        .needs(ARTICLE).background(),
        Requirement::must(
            "hooks.article.not-before",
            "No article hook is sent before publication: a finished draft causes none.",
            SOURCE,
            not_before,
        )
        .needs(ARTICLE_JOBS).background(),
        Requirement::must(
            "hooks.article.same-as-read",
            "data.article of article.published agrees with the article as the API returns it: published, with the same url, published_at and lasting members.",
            "openapi.yaml, ArticlePublishedData and ArticleSummary, x-conformance article-published",
            same_as_read,
        ).needs(ALL).background(),
        Requirement::must(
            "hooks.article.names-origin",
            "data.job_id of an article hook is the job that wrote the article, and data.scheduled_post_id its pipeline entry.",
            "openapi.yaml, ArticlePublishedData",
            names_origin,
        ).needs(ALL).background(),
        Requirement::must(
            "hooks.article.metadata",
            "data.metadata of article.published is the metadata of the request.",
            "openapi.yaml, ArticlePublishedData",
            metadata,
        ).needs(ALL).background(),
        Requirement::must(
            "hooks.article.one-moment",
            "published_at of the entry, published_at of the article and timestamp of the hook tell the same moment, give or take two seconds.",
            "openapi.yaml, ScheduledPost, ArticleSummary and HookEnvelope",
            one_moment,
        )
        .should().needs(ALL).background(),
        Requirement::must(
            "hooks.article.one-event",
            "Publishing an article is one event: every hook about it, retries included, has the same id.",
            "openapi.yaml, HookEnvelope: id",
            one_event,
        )
        .needs(ARTICLE_JOBS).background(),
        Requirement::must(
            "hooks.article.timed",
            "An article that waited for its publish_at causes a hook when it is published.",
            "service description, section 6; openapi.yaml, GenerateRequest publish_at",
            timed,
        )
        .needs(ARTICLE_JOBS).background(),
        Requirement::must(
            "hooks.article.json-post",
            "Hooks about articles are POST requests with a JSON body, declared as application/json, like those about leads.",
            SOURCE,
            json_post,
        )
        .core()
        .needs(ARTICLE)
        .background(),
        Requirement::must(
            "hooks.article.retried",
            "A hook about an article that was answered 500 is sent again, as one about a lead is.",
            "openapi.yaml, HookRefused and x-limits hook_attempts",
            retried,
        )
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::must(
            "hooks.article.thin",
            "The payload of a hook about an article has at most 20 kB.",
            "Standard Webhooks 1.0.0, Payload size",
            article_thin,
        )
        .core()
        .should()
        .needs(ARTICLE).background(),
        Requirement::must(
            "hooks.article.one-shape",
            "All hooks about articles have the same schema: a member keeps its type from article to article.",
            SOURCE,
            articles_of_one_shape,
        )
        .core()
        .needs(ARTICLE).background(),
    ]
}

async fn article_sent(context: Context, _: Value) -> Verdict {
    article_hook_due(&context).await.map(|_| ())
}

async fn article_readable(context: Context, _: Value) -> Verdict {
    let (id, _) = article_hook(&context).await?;
    if context.document().profile() == Profile::Full {
        let exchange = context.send(steps::get_article(&id)).await?;
        demand::status(&exchange, 200)?;
        return demand::same("status", &json!("published"), &demand::json(&exchange)?["status"]);
    }
    let (context, id) = (&context, id.as_str());
    let look = || async move {
        let exchange = context.send(steps::get_article(id)).await?;
        Ok(demand::success(&exchange).map_or_else(Look::NotYet, Look::Found))
    };
    context.eventually(AFTER_HOOK, look).await
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "A draft that stays a draft")).await?;
    let id = demand::text(&job, "article_id")?.to_owned();
    // Once a later article's hook is here, the draft's would be too.
    article_hook(&context).await?;
    let early = context.hooks()?.mentioning(&id);
    ensure(early.is_empty(), "no hook about a draft", || demand::beginning(&early[0].body))
}

/// A published article: its job, the article as it is read after the hook, and the hook's envelope.
async fn announced(context: &Context, topic: &str) -> Result<(Value, Value, Value), Halt> {
    let (job, article) = steps::written(context, &steps::published_request(context, topic)).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let hook = first_mention(context, &id).await?;
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
    demand::text(told, "published_at")?;
    if envelope["data"]["left_out"].is_null() {
        for member in ["excerpt", "tags"] {
            demand::same(&format!("{member} in the hook"), &article[member], &told[member])?;
        }
    }
    Ok(())
}

async fn names_origin(context: Context, _: Value) -> Verdict {
    let (job, _, envelope) = announced(&context, "Saying where a story comes from").await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    let mut names = 0;
    for (member, wanted) in [("job_id", &json!(job_id)), ("scheduled_post_id", &entry["id"])] {
        // Either may be null.
        let told = &envelope["data"][member];
        ensure(told.is_null() || told == wanted, format!("{member} {wanted}"), || demand::brief(told))?;
        names += usize::from(!told.is_null());
    }
    ensure_met(names > 0, "the hook names neither")
}

async fn metadata(context: Context, _: Value) -> Verdict {
    let mut request = steps::published_request(&context, "A story with labels");
    request["metadata"] = json!({ "campaign": "winter-2026", "ref": "7" });
    let (_, article) = steps::written(&context, &request).await?;
    let hook = first_mention(&context, demand::text(demand::json(&article)?, "id")?).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    ensure_met(envelope["data"]["left_out"].is_null(), "the hook leaves parts out")?;
    demand::same("metadata in the hook", &request["metadata"], &envelope["data"]["metadata"])
}

async fn one_moment(context: Context, _: Value) -> Verdict {
    let (job, article, envelope) = announced(&context, "Telling when it happened").await?;
    let entries = lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))?;
    let published = moment(&article, "published_at")?;
    for (what, told) in [("the entry", moment(entry, "published_at")?), ("the hook", moment(&envelope, "timestamp")?)] {
        let apart = (told - published).num_milliseconds().abs();
        ensure(apart <= 2_000, format!("one moment in the article and {what}"), || format!("{apart} ms apart"))?;
    }
    Ok(())
}

async fn one_event(context: Context, _: Value) -> Verdict {
    let article = articles::published(&context, "Saying it once").await?;
    let id = demand::text(&article, "id")?;
    first_mention(&context, id).await?;
    // Another article may link to this one.
    let is_about = |hook: &&HookRequest| {
        hook.json().is_some_and(|body| body["type"] == "article.published" && body["data"]["article"]["id"] == id)
    };
    let events = |seen: &[HookRequest]| seen.iter().filter(is_about).filter_map(event_of).collect::<BTreeSet<_>>();
    // Once a later article's hook is here, a second one about this is on its way at the most.
    article_hook(&context).await?;
    let seen = context.hooks()?.wait_for(id, context.quiet(), |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() <= 1, "one event for one article", || format!("{} events", events(&seen).len()))?;
    ensure_met(!events(&seen).is_empty(), "no hook is an article.published that names the article")
}

async fn timed(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that is announced in time");
    let at = server_now(&context).await? + chrono::Duration::seconds(3);
    body["publish_at"] = json!(written_at(at));
    let article = articles::publication(&context, &body).await?;
    first_mention(&context, demand::text(&article, "id")?).await.map(|_| ())
}

async fn articles_of_one_shape(context: Context, _: Value) -> Verdict {
    let (first, second) = futures::future::try_join(article_hook(&context), article_hook(&context)).await?;
    same_shape(&[first.1, second.1])
}

async fn json_post(context: Context, _: Value) -> Verdict {
    is_json_post(&article_hook(&context).await?.1)
}

/// The article's id is known before its hook, because it is published later.
async fn retried(context: Context, _: Value) -> Verdict {
    let (_, early) = publishing::scheduled(&context, "Knocking twice").await?;
    let id = demand::text(demand::json(&early)?, "id")?.to_owned();
    let log = context.hooks()?;
    log.script(&id, &[HookAnswer::Status(500)]);
    publishing::published(&context, &early).await?;
    let first = first_mention(&context, &id).await?;
    ensure_met(first.answered == 500, "the hook came before its answer was prepared")?;
    let seen = log.expect(patience(&context), || attempts(log.mentioning(&id)), |seen| seen.len() >= 2).await;
    if seen.len() < 2 { Err(no_retry(&context)) } else { Ok(()) }
}

async fn article_thin(context: Context, _: Value) -> Verdict {
    is_thin(&article_hook(&context).await?.1)
}
