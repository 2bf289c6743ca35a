//! A failing case shrinks to its relevant part, within the bounds of possible draws.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use contentgen_conformance::check::{Cases, Context, Request, Requirement, Source, ensure};
use contentgen_conformance::runner::{Account, Contract, Failure, Outcome, Settings, Suite};
use contentgen_conformance::spec::{Document, Profile, SpecError};
use contentgen_conformance::strategies::text;
use serde_json::{Value, json};

use crate::support::in_memory::InMemory;
use crate::support::{Seen, answer};

const ECHO: &str = "
openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
paths: { /echo: { post: { operationId: echo, responses: { '200': { content: { application/json: { schema: {} } } } } } } }
components: { schemas: {} }
";

const SOURCES: &[Source] = &[Source::Part("/paths")];

/// A server that responds with the body of the request.
#[derive(Debug)]
struct Echo;

impl Contract for Echo {
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError> {
        Document::parse(ECHO, profile).map(Arc::new)
    }

    fn probe(&self) -> Request {
        Request::outside("POST", "/echo").json(&json!({}))
    }

    fn catalogue(&self) -> Vec<Requirement> {
        let echoes = async |context: Context, case: Value| {
            let exchange = context.send(Request::outside("POST", "/echo").json(&case)).await?;
            ensure(exchange.json() == Some(&case), "the body of the request", || "another one".to_owned())
        };
        let requirement = Requirement::new("echo.body.same", "It responds with the body.", SOURCES, echoes);
        vec![requirement.drawn("texts and numbers", Cases::Searched, |_, draw| {
            let [first, second] = [text(3, 300), text(0, 40)].map(|texts| draw.value(&texts));
            json!({ "first": first, "second": second, "number": draw.below(1_000) })
        })]
    }
}

/// Returns the failure of a server that changes a body.
async fn failure(jobs: usize, change: impl Fn(&mut Value) + Send + Sync + 'static) -> Box<Failure> {
    let reply = move |seen: &Seen| {
        let mut body = serde_json::from_slice(&seen.body).unwrap_or_default();
        change(&mut body);
        answer(200, &[("content-type", "application/json")], body.to_string().as_bytes())
    };
    let target = InMemory::new(reply, |_| Duration::from_millis(20))
        .target(Account { api_key: "echo-key-0123456789".to_owned(), website_id: None });
    let settings = Settings { seed: 5, jobs, ..Settings::default() };
    let run = Suite::new(Echo, target).with(settings).run(&|_| {}).await.unwrap();
    match run.results.into_iter().next().map(|result| result.outcome) {
        Some(Outcome::Failed(failure)) => failure,
        other => panic!("seed 5: {other:?}"),
    }
}

async fn smallest(change: fn(&mut Value)) -> Value {
    let [one, eight] = [failure(1, change).await, failure(8, change).await];
    assert_eq!(one.case, eight.case, "seed 5: the number of parallel cases changes the result");
    assert!(one.shrink_steps > 0, "seed 5: {}", one.case);
    one.case
}

#[tokio::test(start_paused = true)]
async fn a_text_shrinks_to_the_letters_that_matter() {
    let only_latin = |body: &mut Value| {
        let latin: String = body["first"].as_str().unwrap_or_default().replace(|letter| letter > '\u{ff}', "?");
        body["first"] = json!(latin);
    };
    let case = smallest(only_latin).await;
    let foreign = case["first"].as_str().unwrap().replace('a', "");
    assert_eq!(foreign.chars().count(), 1, "seed 5: {case}");
    assert_eq!(case["first"].as_str().unwrap().chars().count(), 3, "seed 5, the shortest that can be drawn: {case}");
    assert_eq!((&case["second"], &case["number"]), (&json!(""), &json!(0)), "seed 5: {case}");
}

#[tokio::test(start_paused = true)]
async fn a_length_shrinks_to_the_first_that_fails() {
    let cut = |body: &mut Value| {
        let beginning: String = body["first"].as_str().unwrap_or_default().chars().take(25).collect();
        body["first"] = json!(beginning);
    };
    assert_eq!(smallest(cut).await, json!({ "first": "a".repeat(26), "second": "", "number": 0 }));
}

#[tokio::test(start_paused = true)]
async fn a_number_shrinks_to_the_first_that_fails() {
    let bounded = |body: &mut Value| body["number"] = json!(body["number"].as_u64().map(|number| number.min(617)));
    assert_eq!(smallest(bounded).await, json!({ "first": "aaa", "second": "", "number": 618 }));
}

#[tokio::test(start_paused = true)]
async fn a_smaller_case_that_does_not_fail_again_is_not_reported() {
    let failed: Mutex<Vec<Value>> = Mutex::default();
    // The first large number is always changed, every other one only once.
    let changed_once = move |body: &mut Value| {
        let mut failed = failed.lock().unwrap();
        let is_changed = body["number"].as_u64() > Some(617) && failed.iter().skip(1).all(|earlier| earlier != body);
        if is_changed {
            failed.push(body.clone());
            body["number"] = json!(617);
        }
    };
    let failure = failure(1, changed_once).await;
    assert_eq!(failure.shrink_steps, 0, "seed 5: {}", failure.case);
}
