//! What is told of a published article, and what stands at its address.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{
    About as _, Capability, Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand, ensure,
    ensure_met, html,
};
use crate::steps::passages::{letters, passages};
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, articles, publishing};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

/// How far ahead an article is scheduled that is looked at while it waits.
const AHEAD: Duration = Duration::from_mins(1);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.published.together",
            "status is published if and only if published_at and url are set, and url answers 200 with the article.",
            "openapi.yaml, get_article and Article",
            published,
        )
        .needs(JOBS)
        .drawn(
            "plain topics",
            Cases::Divided(32),
            |space: &Space, draw: &mut Draw| json!({ "topic": space.plain_topic(draw) }),
        ),
    ]
}

async fn published(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, steps::topic_of(&case));
    let drafted = body.clone();
    body["auto_publish"] = json!(true);
    let mut scheduled = body.clone();
    let ahead = AHEAD.max(publishing::ahead(&context));
    scheduled["publish_at"] = json!(written_at(server_now(&context).await? + ahead));
    // At once: each may take its time.
    let (drafted, scheduled) = (steps::written(&context, &drafted), steps::written(&context, &scheduled));
    let publication = articles::publication(&context, &body);
    let ((_, draft), (_, waiting), article) = futures::future::try_join3(drafted, scheduled, publication).await?;
    is_nowhere("a draft", demand::json(&draft)?).about(&draft)?;
    if demand::json(&waiting)?["status"] != "published" {
        is_nowhere("a scheduled article", demand::json(&waiting)?).about(&waiting)?;
    }
    ensure(article["published_at"].is_string(), "published_at of a published article", || {
        demand::brief(&article["published_at"])
    })?;
    shows(&context, demand::text(&article, "url")?, &passages(&article)).await
}

fn is_nowhere(what: &str, article: &Value) -> Verdict {
    demand::same(&format!("url of {what}"), &Value::Null, &article["url"])?;
    demand::same(&format!("published_at of {what}"), &Value::Null, &article["published_at"])
}

/// The page at `url` is that of the article, and not one that lists it.
async fn shows(context: &Context, url: &str, passages: &[String]) -> Verdict {
    let base = url::Url::parse(&context.facts().base_url).map_err(|error| Halt::Error(error.to_string()))?;
    let is_own_host = url::Url::parse(url).is_ok_and(|url| url.origin() == base.origin());
    // A page on another host is not the target's API; asking it could mean asking a third party.
    ensure_met(is_own_host, "the article's page is on another host, which the suite does not ask")?;
    let mut page = Request::outside("GET", "").by(Credential::None);
    url.clone_into(&mut page.path);
    let page = context.send(page).await?;
    demand::status(&page, 200)?;
    let text = letters(&html::text(&String::from_utf8_lossy(&page.body)));
    ensure_met(!passages.is_empty(), "the article has no passage that could be told from a summary")?;
    let has_text = passages.iter().any(|passage| text.contains(passage));
    ensure(has_text, "a page with the article's text", || demand::seen(&page)).about(&page)
}
