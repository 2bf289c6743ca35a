//! Requests with the two documented members only.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{
    ArticleIdSource, Capability, Cases, Context, Exchange, Facts, Finding, Halt, Request, Requirement, Verdict, demand,
    ensure, ensure_met,
};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::finding;
use crate::strategies::Space;

const DOCUMENTED: &str = "service description, section 4.1";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.documented.accepted",
            "POST /api/v1/generate with topic and website_id queues a job and answers with a JSON body that contains job_id.",
            DOCUMENTED,
            documented,
        )
        .core()
        .drawn("the documented request", Cases::Divided(8), Space::documented_request),
        Requirement::must(
            "generate.documented.at-once",
            "The call queues a job and answers at once; generation happens afterwards.",
            DOCUMENTED,
            at_once,
        )
        .core()
        .should()
        .drawn("the documented request", Cases::Exactly(3), Space::documented_request),
        Requirement::must(
            "generate.documented.any-text",
            "A topic may be text in any script, with any marks and signs: it is accepted like any other.",
            DOCUMENTED,
            documented,
        )
        .core()
        .should()
        .drawn("topics in several scripts", Cases::Exactly(8), Space::topic_in_any_script),
        Requirement::must(
            "generate.documented.afterwards",
            "Generation happens afterwards: the answer does not wait until the article is written.",
            DOCUMENTED,
            afterwards,
        )
        .core()
        .drawn("the documented request", Cases::Exactly(1), Space::documented_request),
        Requirement::must(
            "generate.documented.no-failure",
            "A topic is text: whatever its script is, it does not make the server fail; no answer to it is 5xx.",
            DOCUMENTED,
            other_scripts,
        )
        .core()
        .observing(no_failure),
    ]
}

async fn documented(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::success(&exchange)?;
    demand::text(demand::json(&exchange)?, "job_id").map(|_| ())
}

async fn at_once(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    ensure_met(exchange.succeeded(), format!("the order was refused with {}", exchange.status))?;
    ensure(exchange.elapsed < Duration::from_secs(5), "an answer within 5 s", || {
        format!("{:.1} s", exchange.elapsed.as_secs_f64())
    })
}

/// Orders that must all be answered late with the article there, each so much later than a read, and at least this late.
const ORDERS: usize = 3;
const TIMES: u32 = 5;
const LATE: Duration = Duration::from_millis(400);

/// A server that is slow with everything is told from one that waits: there the article is not written when it answers.
async fn afterwards(context: Context, body: Value) -> Verdict {
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Err(Halt::inconclusive(
            "an article's id comes with its hook, so it cannot be asked whether it is written",
        ));
    }
    let has_jobs = context.facts().capabilities.contains(&Capability::JOBS);
    let mut waited = Duration::MAX;
    for _ in 0..ORDERS {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        if queued.elapsed < LATE {
            return Ok(());
        }
        let id = demand::text(demand::json(&queued)?, "job_id")?;
        let request: Request = if has_jobs { steps::get_job(id) } else { steps::get_article(id) };
        let read = context.send(request).await?;
        let is_written = read.succeeded() && (!has_jobs || demand::json(&read)?["status"] == "completed");
        if !is_written || read.elapsed * TIMES > queued.elapsed {
            return Ok(());
        }
        waited = waited.min(queued.elapsed);
    }
    Err(Halt::fail("an answer that does not wait for the article", {
        format!(
            "{ORDERS} times the article was written when the answer came, after {:.1} s or more",
            waited.as_secs_f64()
        )
    }))
}

/// What any writer can write about, in scripts of their own.
async fn other_scripts(context: Context, _: Value) -> Verdict {
    const TOPICS: [&str; 3] = [
        "\u{631}\u{643}\u{648}\u{628} \u{627}\u{644}\u{62f}\u{631}\u{627}\u{62c}\u{629}",
        "\u{5317}\u{4eac}\u{7684}\u{81ea}\u{884c}\u{8f66}",
        "\u{395}\u{3bb}\u{3bb}\u{3ac}\u{3b4}\u{3b1} \u{1f6b2}",
    ];
    for topic in TOPICS {
        let documented = json!({ "topic": topic, "website_id": context.facts().website_id });
        context.send(steps::generate(&documented)).await?;
    }
    Ok(())
}

/// Looks at documented requests only: with further members something else may have been the reason.
fn no_failure(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    if exchange.request.operation != Some("generate") {
        return None;
    }
    if exchange.status < 500 {
        return exchange.succeeded().then_some(Ok(()));
    }
    let body: Value = serde_json::from_slice(exchange.request.body.as_deref()?).ok()?;
    let names: Vec<&String> = body.as_object()?.keys().collect();
    let is_documented = names == ["topic", "website_id"] && body["topic"].as_str().is_some_and(is_printable);
    if !is_documented || exchange.has_no_room() {
        return None;
    }
    finding(false, "no 5xx status", exchange)
}

fn is_printable(topic: &str) -> bool {
    !topic.trim().is_empty() && topic.chars().count() <= 1_000 && !topic.chars().any(char::is_control)
}
