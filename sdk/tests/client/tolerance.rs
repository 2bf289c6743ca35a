//! No addition of a newer server to a valid response breaks a call. Responses of the two documented operations may also
//! lack any field that the service description does not promise. Each case is sent over the wire.

use std::sync::{Arc, Mutex};

use contentgen_sdk::{Client, Error};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use super::client;
use super::document::{DOCUMENTED, Document};

/// Answers with the body of the current case.
#[derive(Clone)]
struct Current(Arc<Mutex<Value>>);

impl Respond for Current {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        // The lead form is accepted with 202, all other operations return 200.
        let status = if request.url.path().starts_with("/capture/") { 202 } else { 200 };
        ResponseTemplate::new(status).set_body_json(&*self.0.lock().expect("no panic"))
    }
}

/// A value that a later version of the API could add anywhere.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from)
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..3)
                .prop_map(|members| Value::from(Map::from_iter(members))),
        ]
    })
}

/// Changes of one case: random numbers select the places, and the values are inserted there.
#[derive(Clone, Debug)]
struct Changes {
    added: Vec<(prop::sample::Index, String, Value)>,
    new_words: Vec<(prop::sample::Index, String)>,
    removed: Vec<(prop::sample::Index, bool)>,
}

fn changes() -> impl Strategy<Value = Changes> {
    let at = any::<prop::sample::Index>;
    (
        prop::collection::vec((at(), "x_[a-z]{1,8}", anything()), 0..6),
        prop::collection::vec((at(), "[a-z]{14,18}"), 0..3),
        prop::collection::vec((at(), any::<bool>()), 0..12),
    )
        .prop_map(|(added, new_words, removed)| Changes { added, new_words, removed })
}

/// Applies changes to a response: adds fields to objects and words to open vocabularies. For a documented operation it also removes
/// fields that the operation does not promise.
fn change(document: &Document, operation: &str, answer: &mut Value, changes: &Changes) {
    let schema = document.answer_schema(operation);
    for (at, name, value) in &changes.added {
        let places = document.objects_in(schema, answer);
        let place = &places[at.index(places.len())];
        answer.pointer_mut(place).expect("the place was found")[name] = value.clone();
    }
    for (at, word) in &changes.new_words {
        let places = document.open_words_in(schema, answer);
        if !places.is_empty() {
            *answer.pointer_mut(&places[at.index(places.len())]).expect("the place was found") =
                Value::from(word.as_str());
        }
    }
    let Some((_, promised)) = DOCUMENTED.iter().find(|(name, _)| *name == operation) else { return };
    for (at, to_null) in &changes.removed {
        let places = document.objects_in(schema, answer);
        let members = places.iter().flat_map(|place| {
            let names = answer.pointer(place).and_then(Value::as_object).into_iter().flat_map(Map::keys);
            names.map(move |name| (place, name.clone()))
        });
        let is_promised = |place: &str, name: &str| place.is_empty() && promised.contains(&name);
        let members: Vec<_> = members.filter(|(place, name)| !is_promised(place, name)).collect();
        let Some((place, name)) = (!members.is_empty()).then(|| &members[at.index(members.len())]) else { return };
        let object = answer.pointer_mut(place).and_then(Value::as_object_mut).expect("the place was found");
        if *to_null {
            object[name] = Value::Null;
        } else {
            object.remove(name);
        }
    }
}

/// Checks that additions were kept. For the documented operations it checks only the top level, since an undecodable part does not hide
/// the rest.
fn keeps_additions(document: &Document, operation: &str, answer: &Value, read: &Value) -> Result<(), TestCaseError> {
    let is_documented = DOCUMENTED.iter().any(|(name, _)| *name == operation);
    for place in document.objects_in(document.answer_schema(operation), answer) {
        if is_documented && !place.is_empty() {
            continue;
        }
        let added = answer.pointer(&place).and_then(Value::as_object).into_iter().flatten();
        for (name, value) in added.filter(|(name, _)| name.starts_with("x_")) {
            let kept = read.pointer(&place).and_then(|object| object.get(name));
            prop_assert_eq!(kept, Some(value), "{} at {:?} is kept", name, place);
        }
    }
    Ok(())
}

/// Calls an operation and returns the value that was read, written as JSON again.
async fn call(client: &Client, operation: &str) -> Result<Value, Error> {
    fn written<T: serde::Serialize>(answer: &contentgen_sdk::Response<T>) -> Value {
        serde_json::to_value(&**answer).expect("a read value can be written")
    }
    Ok(match operation {
        "generate" => written(&client.generate().topic("t").website_id("w").send().await?),
        "get_article" => written(&client.get_article("a").send().await?),
        "list_articles" => written(&client.list_articles().send().await?),
        "get_job" => written(&client.get_job("j").send().await?),
        "cancel_job" => written(&client.cancel_job("j").send().await?),
        "list_leads" => written(&client.list_leads().send().await?),
        "get_lead" => written(&client.get_lead("l").send().await?),
        "list_scheduled_posts" => written(&client.list_scheduled_posts().send().await?),
        "get_scheduled_post" => written(&client.get_scheduled_post("p").send().await?),
        "list_websites" => written(&client.list_websites().send().await?),
        "capture_lead" => written(&client.capture_lead("w").email("reader@example.com").send().await?),
        other => panic!("{other} is a new operation: call it here"),
    })
}

/// Makes a runner with as many cases as fit into a minute. It shows a failing case and stores its seed beside this file.
fn runner() -> TestRunner {
    TestRunner::new(Config { cases: 100, source_file: Some(file!()), ..Config::default() })
}

/// Calls every operation of the document with changed responses from its schema.
#[test]
fn no_addition_breaks_a_call_and_no_absence_a_documented_one() {
    let document = Document::read();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let current = Current(Arc::new(Mutex::new(Value::Null)));
    let server = runtime.block_on(MockServer::start());
    runtime.block_on(Mock::given(wiremock::matchers::any()).respond_with(current.clone()).mount(&server));
    let client = client(&server.uri());
    let operations = document.operations();
    assert_eq!(operations.len(), 11, "{operations:?}");
    for operation in operations {
        let cases = (document.answers_of(&operation), changes());
        let outcome = runner().run(&cases, |(mut answer, changes)| {
            change(&document, &operation, &mut answer, &changes);
            *current.0.lock().unwrap() = answer.clone();
            let read = runtime.block_on(call(&client, &operation));
            let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{answer:#}")))?;
            keeps_additions(&document, &operation, &answer, &read)
        });
        if let Err(failure) = outcome {
            panic!("{operation}: {failure}");
        }
    }
}

/// Reads the events of hooks with additions.
#[test]
fn no_addition_breaks_a_known_event() {
    let document = Document::read();
    for schema in [
        "LeadCapturedEvent",
        "ArticlePublishedEvent",
        "ArticleUpdatedEvent",
        "JobFailedEvent",
        "ScheduledPostFailedEvent",
        "HookTestEvent",
    ] {
        let schema = document.component(schema);
        let cases = (document.values_of(schema), changes());
        let outcome = runner().run(&cases, |(mut event, changes)| {
            for (at, name, value) in &changes.added {
                let places = document.objects_in(schema, &event);
                event.pointer_mut(&places[at.index(places.len())]).unwrap()[name] = value.clone();
            }
            for (at, word) in &changes.new_words {
                let places: Vec<String> =
                    document.open_words_in(schema, &event).into_iter().filter(|place| place != "/type").collect();
                if !places.is_empty() {
                    *event.pointer_mut(&places[at.index(places.len())]).unwrap() = Value::from(word.as_str());
                }
            }
            let kind = event["type"].clone();
            let read: contentgen_sdk::webhook::HookEvent = serde_json::from_value(event.clone())
                .map_err(|error| TestCaseError::fail(format!("{error}\n{event:#}")))?;
            prop_assert_eq!(read.event_type(), kind.as_str().unwrap_or_default());
            prop_assert!(!matches!(read, contentgen_sdk::webhook::HookEvent::Unknown(_)));
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
    }
}
