//! Requests with only the two documented fields.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{
    ArticleIdSource, Capability, Cases, Context, Exchange, Facts, Finding, Halt, Request, Requirement, Source, Verdict,
    demand, ensure_met,
};
use crate::spec::{Document, Profile};
use crate::steps;
use crate::steps::observing::finding;
use crate::steps::times::moment;
use crate::strategies::Space;

/// `POST /api/v1/generate` queues a job at once; writing happens later.
const ASYNCHRONOUS: &[Source] = &[Fact("1.3"), Sentence("`POST /api/v1/generate` queues it and answers at once.")];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.documented.accepted",
            "POST /api/v1/generate with topic and website_id queues a job, and the response is JSON with job_id.",
            &[Fact("4.1"), Fact("2")],
            documented,
        )
        .core()
        .drawn("the documented request", Cases::Divided(8), Space::documented_request),
        Requirement::new(
            "generate.documented.at-once",
            "A request queues a job and gets the job's id at once: of three responses, at least one comes within 5 seconds.",
            ASYNCHRONOUS,
            at_once,
        )
        .core()
        .should()
        .drawn("the documented request", Cases::Exactly(1), Space::documented_request),
        Requirement::new(
            "generate.documented.any-text",
            "A topic is free text: text in any writing system and with any signs is accepted.",
            &[Fact("4.1"), Fact("2")],
            documented,
        )
        .core()
        .should()
        .drawn("topics in several scripts", Cases::Exactly(8), Space::topic_in_any_script),
        Requirement::new(
            "generate.documented.afterwards",
            "Writing is asynchronous: of three responses, at least one does not wait until the article is written.",
            ASYNCHRONOUS,
            afterwards,
        )
        .core()
        .drawn("the documented request", Cases::Exactly(1), Space::documented_request),
        Requirement::new(
            "generate.documented.no-failure",
            "A topic is free text: no topic in any writing system makes the server respond 5xx.",
            &[Fact("4.1"), Fact("2"), Standard("RFC 9110", "15.6")],
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

/// Number of requests whose responses must all be late.
const ORDERS: usize = 3;

/// Time within which a response is at once.
const AT_ONCE: Duration = Duration::from_secs(5);

async fn at_once(context: Context, body: Value) -> Verdict {
    let mut fastest = Duration::MAX;
    for _ in 0..ORDERS {
        let exchange = context.send(steps::generate(&body)).await?;
        ensure_met(exchange.succeeded(), format!("the request was refused with {}", exchange.status))?;
        fastest = fastest.min(exchange.elapsed);
        if fastest < AT_ONCE {
            return Ok(());
        }
    }
    let expected = format!("a response within {} s", AT_ONCE.as_secs());
    Err(Halt::fail(expected, format!("{ORDERS} responses, each after {:.1} s or more", fastest.as_secs_f64())))
}

/// A late response takes at least this many times as long as a read.
const TIMES: u32 = 5;
/// A late response takes at least this long.
const LATE: Duration = Duration::from_millis(400);

/// Maximum error of a duration between two times of a job, which have milliseconds.
const ROUNDING: Duration = Duration::from_millis(2);

/// Fails only if each response is much slower than a read, the article is written by then, and the times of the job agree with that.
async fn afterwards(context: Context, body: Value) -> Verdict {
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Err(Halt::inconclusive(
            "the article's id arrives only with the webhook, so the suite cannot read whether it is written",
        ));
    }
    let has_jobs = context.facts().capabilities.contains(&Capability::JOBS);
    let has_times = has_jobs && context.document().profile() == Profile::Full;
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
        if has_times && rules_out_waiting(demand::json(&read)?, queued.elapsed) {
            return Ok(());
        }
        waited = waited.min(queued.elapsed);
    }
    Err(Halt::fail("a response that does not wait for the article", {
        format!(
            "{ORDERS} times the article was written when the response arrived, after {:.1} s or more",
            waited.as_secs_f64()
        )
    }))
}

/// Returns true if writing took longer than the response, or so much less that the response was late for another reason.
fn rules_out_waiting(job: &Value, response: Duration) -> bool {
    let (Ok(created), Ok(finished)) = (moment(job, "created_at"), moment(job, "finished_at")) else { return false };
    (finished - created).to_std().is_ok_and(|writing| writing > response + ROUNDING || writing * 2 < response)
}

/// Sends topics in other writing systems, about which any writer can write.
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

/// Checks only documented requests: with further fields the failure may have another reason.
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
