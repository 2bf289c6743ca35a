//! Articles, jobs, scheduled posts and leads of another account: their ids are unknown.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Exchange, Halt, Requirement, Source, Verdict, demand, ensure,
};
use crate::spec::Profile;
use crate::steps::credentials::{read_by_other, unknown_to_other};
use crate::steps::lists::List;
use crate::steps::{self, articles, lists};

const TWO_JOBS: &[Capability] = &[Capability::ISOLATION, Capability::JOBS];

const TWO: &[Capability] = &[Capability::ISOLATION];

/// An id that no job has.
const UNKNOWN: &str = "job_never_was";

const TWO_POSTS: &[Capability] = &[Capability::ISOLATION, Capability::PIPELINE];

const TWO_LEADS: &[Capability] = &[Capability::ISOLATION, Capability::LEADS, Capability::CAPTURE];

/// Maximum number of ids to try, and how many at once.
const PROBED: usize = 240;

const AT_ONCE: usize = 16;

const UNKNOWN_ID: &[Source] = &[
    Sentence("A key reaches only the data of its account."),
    Sentence("To a key all other data looks as if it did not exist."),
    Sentence("The id is unknown, or the key may not use it."),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.articles.unknown",
            "Reading another account's article returns 404 article_not_found, by its id and by its job's id, also with If-None-Match.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
                Standard("RFC 9110", "13.2.1"),
            ],
            articles,
        )
        .needs(TWO_JOBS),
        Requirement::new(
            "isolation.articles.core",
            "A key cannot read another account's article.",
            &[Fact("5"), Fact("1.1"), Sentence("A key reaches only the data of its account.")],
            articles_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::new(
            "isolation.jobs.unknown",
            "Reading another account's job returns 404 job_not_found, with the same title, detail and type as for an unknown id, except for ids in the detail.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("The kind of problem in a few words, always the same for a code."),
            ],
            jobs,
        )
        .needs(TWO_JOBS),
        Requirement::new(
            "isolation.jobs.cancel",
            "Cancelling another account's job returns 404 job_not_found and does not cancel the job.",
            &[
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            cancel,
        )
        .needs(TWO_JOBS),
        Requirement::new(
            "isolation.posts.unknown",
            "Reading another account's scheduled post returns 404 scheduled_post_not_found.",
            UNKNOWN_ID,
            posts,
        )
        .needs(TWO_POSTS),
        Requirement::new(
            "isolation.leads.unknown",
            "Reading another account's lead returns 404 lead_not_found, and the list of leads does not contain it.",
            UNKNOWN_ID,
            leads,
        )
        .needs(TWO_LEADS),
        Requirement::new(
            "isolation.ids.every",
            "With another account's key every id that was seen in this run is unknown: reading returns 404, or a record of the other account with an equal id, and cancelling a job that cannot be read returns 404. In core it does not return this account's article.",
            &[
                Fact("5"),
                Fact("1.1"),
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            every,
        )
        .core()
        .needs(TWO)
        .drawn("ids seen in the run", Cases::Exactly(1), |_, _| Value::Null)
        .last(),
    ]
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::some_article(&context).await?;
    for id in [&job["job_id"], &demand::json(&article)?["id"]] {
        let request = steps::get_article(id.as_str().unwrap_or_default());
        let tag = demand::header(&article, "etag").unwrap_or("\"x\"").to_owned();
        unknown_to_other(&context, request.clone(), "article_not_found").await?;
        let conditional = context.send(request.by(Credential::Other).header("if-none-match", tag)).await?;
        demand::problem(&conditional, 404, &["article_not_found"])?;
    }
    Ok(())
}

async fn articles_in_core(context: Context, _: Value) -> Verdict {
    for id in articles::readable(&context).await? {
        read_by_other(&context, steps::get_article(&id)).await?;
    }
    Ok(())
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a map")).await?;
    let foreign = unknown_to_other(&context, steps::get_job(&job_id), "job_not_found").await?;
    let unknown = context.send(steps::get_job(UNKNOWN).by(Credential::Other)).await?;
    let expected = without_ids(&unknown, UNKNOWN);
    demand::same("title, detail and type", &expected, &without_ids(&foreign, &job_id)).about(&foreign)?;
    steps::finished(&context, &job_id).await.map(|_| ())
}

/// Returns title, detail and type of a problem, with placeholders for the requested id and the id of the request.
fn without_ids(exchange: &Exchange, id: &str) -> Value {
    let body = exchange.json().cloned().unwrap_or_default();
    let mut detail = body["detail"].as_str().map(|detail| detail.replace(id, "{id}"));
    if let Some(request_id) = body["request_id"].as_str().filter(|id| !id.is_empty()) {
        detail = detail.map(|detail| detail.replace(request_id, "{request_id}"));
    }
    json!([body["title"], detail, body["type"]])
}

async fn cancel(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a compass")).await?;
    // A job of the second account may have the same id, and must not be cancelled.
    unknown_to_other(&context, steps::get_job(&job_id), "job_not_found").await?;
    let foreign = context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let job = steps::finished(&context, &job_id).await?;
    let status = &demand::json(&job)?["status"];
    ensure(status != "cancelled", "a job that is not cancelled", || status.to_string())
}

async fn posts(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Reading a plan"))).await?;
    demand::success(&queued)?;
    let id = demand::text(demand::json(&queued)?, "scheduled_post_id")?.to_owned();
    let request = steps::get_scheduled_post(&id);
    unknown_to_other(&context, request.clone(), "scheduled_post_not_found").await?;
    // Its own account can read it.
    demand::status(&*context.send(request).await?, 200)?;
    steps::discard_where_possible(&context, &queued).await
}

async fn leads(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("foreign"));
    let lead = steps::leads::captured(&context, &email, "Foreign reader", "hello").await?;
    unknown_to_other(&context, steps::get_lead(demand::text(&lead, "id")?), "lead_not_found").await?;
    let page = context.send(List::named("/leads").page("limit=100").by(Credential::Other)).await?;
    let is_foreign = |row: &&Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(&email));
    let foreign = lists::rows(demand::json(&page)?).iter().find(is_foreign);
    ensure(foreign.is_none(), "no lead of another account in the list", || {
        foreign.map_or_else(String::new, demand::brief)
    })
}

async fn every(context: Context, _: Value) -> Verdict {
    // Makes ids, in case no other requirement runs.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Growing herbs on a balcony"))).await?;
    demand::success(&queued)?;
    let own = ended_jobs(&context).await?;
    let seen = context.seen_ids();
    let step = seen.len().div_ceil(PROBED).max(1);
    let probed: Vec<&String> = own.iter().chain(seen.iter().rev().step_by(step)).collect();
    for some in probed.chunks(AT_ONCE) {
        futures::future::try_join_all(some.iter().map(|id| probe(&context, id))).await?;
    }
    steps::discard_where_possible(&context, &queued).await
}

/// Returns ids of a cancelled job and of a completed one with its article, if jobs can be read. A server that checks the state before
/// the owner shows that only with such ids.
async fn ended_jobs(context: &Context) -> Result<Vec<String>, Halt> {
    if !context.facts().capabilities.contains(&Capability::JOBS) {
        return Ok(Vec::new());
    }
    let cancelled = steps::queue(context, &steps::quiet_request(context, "Nothing to be read by others")).await?;
    context.send(steps::cancel_job(&cancelled)).await?;
    let mut ended = articles::readable_about(context, "Read by its owner only").await?;
    ended.push(cancelled);
    Ok(ended)
}

/// Reads and cancels with the other account's key, whatever kind of record the id is of.
async fn probe(context: &Context, id: &str) -> Verdict {
    let article = read_by_other(context, steps::get_article(id)).await?;
    if context.document().profile() == Profile::Core {
        return Ok(());
    }
    let job = read_by_other(context, steps::get_job(id)).await?;
    // The other account may have a job with this id, in any state.
    if !job.succeeded() {
        demand::problem(&job, 404, &["job_not_found"])?;
        is_unknown(&article, "article_not_found")?;
        let cancelled = context.send(steps::cancel_job(id).by(Credential::Other)).await?;
        demand::problem(&cancelled, 404, &["job_not_found"])?;
    }
    let lead = read_by_other(context, steps::get_lead(id)).await?;
    is_unknown(&lead, "lead_not_found")?;
    let post = read_by_other(context, steps::get_scheduled_post(id)).await?;
    is_unknown(&post, "scheduled_post_not_found")
}

/// Demands 404 with this code, unless the response shows a record of the other account.
fn is_unknown(exchange: &Exchange, code: &str) -> Verdict {
    if exchange.succeeded() { Ok(()) } else { demand::problem(exchange, 404, &[code]) }
}
