//! Webhooks about published articles: when they are sent, and their contents.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::request::is_json_post;
use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{
    ArticleIdSource, Capability, Cases, Context, Halt, Look, Requirement, Source, Verdict, demand, ensure, ensure_met,
};
use crate::inbox::{HookAnswer, HookRequest};
use crate::spec::Profile;
use crate::steps::draws::index_of;
use crate::steps::endpoints::{attempts, makes_attempts, no_retry, patience};
use crate::steps::hooks::{AFTER_HOOK, ARTICLE_PUBLISHED, article_hook, article_hook_due, first_mention};
use crate::steps::payloads::{ensure_unnamed, event_of, has_type, is_thin, long_labels, names, same_shape};
use crate::steps::pipeline::settled;
use crate::steps::times::{moment, server_now, written_at};
use crate::steps::{self, articles, pipeline, publishing};

const SENT: Source = Sentence(
    "Sent in real time to every active endpoint that chose this type and this website, after the API shows the \
    article.",
);

const SAME: Source = Sentence(
    "`article` has the values that the API shows when the event happens, except for parts that were left out.",
);

const READABLE: Source = Sentence("When the event arrives, the API shows the article with `status` `published`.");

const ARTICLE: &[Capability] = &[Capability::HOOKS];

const ARTICLE_JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

const ALL: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::PIPELINE];

/// Fields of an article that do not change once it is published.
const LASTING: [&str; 9] =
    ["id", "job_id", "website_id", "title", "slug", "language", "word_count", "reading_time_minutes", "created_at"];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.article.sent",
            "Publishing an article sends a webhook to the registered endpoint, and the webhook identifies the article. In \
            core the webhook may contain the id of the job or the field id of the article.",
            &[Fact("6"), SENT, Part("/components/schemas/ArticlePublishedData/properties/article")],
            article_sent,
        )
        .core()
        .needs(ARTICLE)
        .background(),
        Requirement::new(
            "hooks.article.readable",
            "When a webhook about an article arrives, the API shows the article as published. In core, reading it \
            may fail for up to 5 s.",
            &[Fact("4.2"), Fact("6"), READABLE],
            article_readable,
        )
        .core()
        .needs(ARTICLE)
        .background(),
        Requirement::new(
            "hooks.article.not-before",
            "No webhook of type article.published is sent before the article is published: a finished draft causes none.",
            &[SENT, READABLE, Sentence("Without `auto_publish` it waits for approval.")],
            not_before,
        )
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.article.same-as-read",
            "data.article of article.published is published, with url and published_at. These and the lasting fields \
            are the same as in the API; if nothing was left out, excerpt and tags are the same, too.",
            &[
                SAME,
                Sentence(
                    "`status` is `published` exactly if `published_at` is not null, and exactly if `url` is not null.",
                ),
                Sentence("Absent if the article is complete."),
            ],
            same_as_read,
        )
        .needs(ALL)
        .background(),
        Requirement::new(
            "hooks.article.names-origin",
            "data.job_id of article.published is the job that wrote the article, and data.scheduled_post_id its \
            scheduled post.",
            &[
                Part("/components/schemas/ArticlePublishedData/properties/job_id"),
                Part("/components/schemas/ArticlePublishedData/properties/scheduled_post_id"),
            ],
            names_origin,
        )
        .needs(ALL)
        .background(),
        Requirement::new(
            "hooks.article.metadata",
            "data.metadata of article.published is the metadata of the request.",
            &[
                Sentence("The job, the article and the webhooks about them repeat the labels."),
                Sentence("The metadata of the request, unless it was left out."),
            ],
            metadata,
        )
        .needs(ALL)
        .background(),
        Requirement::new(
            "hooks.article.left-out",
            "If the webhook does not contain all of an article with more than 20 KiB of metadata, left_out is the number \
            of missing parts: the excerpt, keywords, tags and labels. Texts and lists that were left out are empty.",
            &[
                Sentence(
                    "Number of parts of the article that were left out because the body would exceed 20 KiB even without its \
                    text.",
                ),
                Sentence("The excerpt and each keyword, tag and label of the metadata count as one."),
                Part("/components/schemas/ArticlePublishedData/properties/left_out"),
            ],
            left_out,
        )
        .drawn("metadata of the size of a complete body", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_body_whole", "maximum"))
        })
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.article.one-moment",
            "published_at of the scheduled post, published_at of the article and timestamp of the webhook are the \
            same time, give or take two seconds.",
            &[
                Sentence("When the article was published."),
                Sentence("When it was published."),
                Sentence("When the event happened."),
            ],
            one_moment,
        )
        .should()
        .needs(ALL)
        .background(),
        Requirement::new(
            "hooks.article.one-event",
            "Publishing an article is one event: every webhook about it, retries included, has the same id, and none is of type article.updated.",
            &[
                Sentence("Each publication has exactly one such event."),
                Sentence("A user edited a published article in the dashboard."),
                Sentence("An article was published."),
                Sentence("It is the same on every retry and at every endpoint, and equals the header `webhook-id`."),
            ],
            one_event,
        )
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.article.timed",
            "An article that waits for its publish_at causes a webhook when it is published.",
            &[SENT, Sentence("When to publish: RFC 3339 with a zone, at most the same date next year.")],
            timed,
        )
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.article.json-post",
            "A webhook about an article is a POST request with a JSON body and the Content-Type application/json. In \
            core the type may also end in +json.",
            &[
                Fact("6"),
                Part("/x-webhooks/article.published/post/requestBody/content/application~1json"),
                Standard("Standard Webhooks 1.0.0", "Webhook headers"),
            ],
            json_post,
        )
        .core()
        .needs(ARTICLE)
        .background(),
        Requirement::new(
            "hooks.article.retried",
            "A webhook about an article is sent again if the receiver responds 500.",
            &[
                Sentence(
                    "Except for `hook.test`, the service tries again after about 5 seconds, 5 and 30 minutes, 2, 5, \
                    10, 14, 20 and 24 hours.",
                ),
                Part("/x-limits/hook_attempts"),
            ],
            retried,
        )
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.article.thin",
            "The body of a webhook about an article has at most 20 KiB, not counting content_markdown and content_html.",
            &[
                Fact("6"),
                Part("/x-limits/hook_body_whole"),
                Sentence("The text that an endpoint asked for is not counted."),
                Standard("Standard Webhooks 1.0.0", "Payload size"),
            ],
            article_thin,
        )
        .core()
        .should()
        .needs(ARTICLE)
        .background(),
        Requirement::new(
            "hooks.article.one-shape",
            "All webhooks about articles have the same schema: a field has the same type in each of them.",
            &[
                Fact("6"),
                Part("/components/schemas/ArticlePublishedEvent"),
                Standard("Standard Webhooks 1.0.0", "Event types"),
            ],
            articles_of_one_shape,
        )
        .core()
        .should()
        .needs(ARTICLE)
        .background(),
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
    let facts = context.facts();
    let is_guess = facts.article_id_from == ArticleIdSource::Job && !facts.capabilities.contains(&Capability::JOBS);
    let (context, id) = (&context, id.as_str());
    let look = || async move {
        let exchange = context.send(steps::get_article(id)).await?;
        Ok(match steps::has_article(context, &exchange) {
            Ok(()) => Look::Found(()),
            Err(_) if is_guess => Look::NotYet(Halt::inconclusive(
                "the article cannot be read by the id of its job; say in [article] id_from where its id comes from",
            )),
            Err(halt) => Look::NotYet(halt),
        })
    };
    context.eventually(AFTER_HOOK, look).await
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "A draft that stays a draft")).await?;
    let id = demand::text(&job, "article_id")?.to_owned();
    // A webhook about the draft would have arrived before that of a later article.
    article_hook(&context).await?;
    ensure_unnamed(&publishing::hooks_about(&context, &id), &id, "no webhook about a draft")
}

/// Queues `body` and waits for the webhook. Returns the job, the article as read after the webhook, and the body of the webhook.
async fn announced(context: &Context, body: &Value) -> Result<(Value, Value, Value), Halt> {
    let (job, article) = steps::written(context, body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let hook = first_mention(context, &id, ARTICLE_PUBLISHED).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    let article = context.send(steps::get_article(&id)).await?;
    Ok((job, demand::json(&article)?.clone(), envelope))
}

async fn same_as_read(context: Context, _: Value) -> Verdict {
    let body = steps::published_request(&context, "Telling the same story twice");
    let (_, article, envelope) = announced(&context, &body).await?;
    let told = &envelope["data"]["article"];
    demand::same("status in the webhook", &json!("published"), &told["status"])?;
    demand::text(told, "url")?;
    demand::text(told, "published_at")?;
    let mut fields = [&LASTING[..], &["url", "published_at"][..]].concat();
    if envelope["data"]["left_out"].is_null() {
        fields.extend(["excerpt", "tags"]);
    }
    for field in fields {
        if !article[field].is_null() && !told[field].is_null() {
            demand::same(&format!("{field} in the webhook"), &article[field], &told[field])?;
        }
    }
    Ok(())
}

async fn names_origin(context: Context, _: Value) -> Verdict {
    let body = steps::published_request(&context, "Saying where a story comes from");
    let (job, _, envelope) = announced(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = pipeline::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
    let mut names = 0;
    for (member, wanted) in [("job_id", &json!(job_id)), ("scheduled_post_id", &entry["id"])] {
        // Either may be null.
        let told = &envelope["data"][member];
        ensure(told.is_null() || told == wanted, format!("{member} {wanted}"), || demand::brief(told))?;
        names += usize::from(!told.is_null());
    }
    ensure_met(names > 0, "the webhook contains neither id")
}

async fn metadata(context: Context, _: Value) -> Verdict {
    let mut request = steps::published_request(&context, "A story with labels");
    request["metadata"] = json!({ "campaign": "winter-2026", "ref": "7" });
    let (_, _, envelope) = announced(&context, &request).await?;
    ensure_met(envelope["data"]["left_out"].is_null(), "parts of the webhook were left out")?;
    demand::same("metadata in the webhook", &request["metadata"], &envelope["data"]["metadata"])
}

async fn left_out(context: Context, whole: Value) -> Verdict {
    let mut request = steps::published_request(&context, "A story with long labels");
    request["metadata"] = long_labels(index_of(&whole));
    let (_, article, envelope) = announced(&context, &request).await?;
    demand::schema(&context, &envelope, "ArticlePublishedEvent")?;
    let data = &envelope["data"];
    let (all, kept) = (parts(&article, &article["metadata"]), parts(&data["article"], &data["metadata"]));
    ensure_met(kept < all, "the webhook contains the whole article")?;
    demand::same("left_out", &json!(all - kept), &data["left_out"])
}

/// Returns the number of parts of an article and its metadata that a webhook may leave out, and that it has.
fn parts(article: &Value, metadata: &Value) -> usize {
    let items = |list: &Value| list.as_array().map_or(0, Vec::len);
    let excerpt = usize::from(article["excerpt"].as_str().is_some_and(|excerpt| !excerpt.is_empty()));
    excerpt + items(&article["keywords"]) + items(&article["tags"]) + metadata.as_object().map_or(0, Map::len)
}

async fn one_moment(context: Context, _: Value) -> Verdict {
    let body = steps::published_request(&context, "Telling when it happened");
    let (job, article, envelope) = announced(&context, &body).await?;
    let entry = settled(&context, demand::text(&job, "job_id")?, &["published"], context.grace()).await?;
    let published = moment(&article, "published_at")?;
    for (what, told) in
        [("the scheduled post", moment(&entry, "published_at")?), ("the webhook", moment(&envelope, "timestamp")?)]
    {
        let apart = (told - published).num_milliseconds().abs();
        ensure(apart <= 2_000, format!("the same time in the article and {what}"), || format!("{apart} ms apart"))?;
    }
    Ok(())
}

async fn one_event(context: Context, _: Value) -> Verdict {
    let article = articles::published(&context, "Saying it once").await?;
    let id = demand::text(&article, "id")?;
    first_mention(&context, id, ARTICLE_PUBLISHED).await?;
    // A webhook about another article may mention this one.
    let is_about = |hook: &&HookRequest| {
        hook.json().is_some_and(|body| body["type"] == ARTICLE_PUBLISHED && body["data"]["article"]["id"] == id)
    };
    let events = |seen: &[HookRequest]| seen.iter().filter(is_about).filter_map(event_of).collect::<BTreeSet<_>>();
    // By now a second event about this article would at least be on its way.
    article_hook(&context).await?;
    let seen = context.hooks()?.wait_for(id, context.quiet(), |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() <= 1, "one event for one article", || format!("{} events", events(&seen).len()))?;
    let is_update = |hook: &HookRequest| has_type(hook, "article.updated") && names(hook, id);
    ensure(!seen.iter().any(is_update), "no event article.updated, because no user edited the article", || {
        "one".to_owned()
    })?;
    ensure_met(!events(&seen).is_empty(), "no webhook of type article.published is about the article")
}

async fn timed(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that is announced in time");
    let at = server_now(&context).await? + chrono::Duration::seconds(3);
    body["publish_at"] = json!(written_at(at));
    let article = articles::publication(&context, &body).await?;
    first_mention(&context, demand::text(&article, "id")?, ARTICLE_PUBLISHED).await.map(|_| ())
}

async fn articles_of_one_shape(context: Context, _: Value) -> Verdict {
    let (first, second) = futures::future::try_join(article_hook(&context), article_hook(&context)).await?;
    same_shape(&[first.1, second.1])
}

async fn json_post(context: Context, _: Value) -> Verdict {
    is_json_post(&context, &article_hook(&context).await?.1)
}

/// Scheduling the article gives its id before its webhook, so that the response to the webhook can be scripted.
async fn retried(context: Context, _: Value) -> Verdict {
    makes_attempts(&context, 2)?;
    let (_, early) = publishing::scheduled(&context, "Knocking twice").await?;
    let id = demand::text(demand::json(&early)?, "id")?.to_owned();
    let log = context.hooks()?;
    log.script(&id, &[HookAnswer::Status(500)]);
    publishing::published(&context, &early).await?;
    let first = first_mention(&context, &id, ARTICLE_PUBLISHED).await?;
    ensure_met(first.answered == 500, "the webhook arrived before its response was scripted")?;
    let about = || attempts(publishing::hooks_about(&context, &id));
    let seen = log.expect(patience(&context), about, |seen| seen.len() >= 2).await;
    if seen.len() < 2 { Err(no_retry(&context)) } else { Ok(()) }
}

async fn article_thin(context: Context, _: Value) -> Verdict {
    is_thin(&article_hook(&context).await?.1)
}
