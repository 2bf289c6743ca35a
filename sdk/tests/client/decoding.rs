//! Tolerant reading of responses: unknown fields are kept, and an undecodable field does not hide the others.

use contentgen_sdk::types::{Article, Job, JobStatus, Lead, Problem, QueuedJob};
use contentgen_sdk::webhook::HookEvent;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any JSON value of limited depth.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has finite numbers only", |number| number.is_finite()).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(member(), inner, 0..4).prop_map(|members| Value::from(Map::from_iter(members))),
        ]
    })
}

/// The name of a field, usually one of the document.
fn member() -> impl Strategy<Value = String> {
    let known = [
        "id",
        "job_id",
        "title",
        "status",
        "faq",
        "outline",
        "keywords",
        "metadata",
        "voice",
        "created_at",
        "word_count",
        "json_ld",
        "hero_image",
        "code",
        "errors",
        "type",
        "extra",
    ];
    prop_oneof![3 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "[a-z_]{1,10}"]
}

/// Any JSON object.
fn any_object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(member(), any_json(), 0..8).prop_map(|members| Value::from(Map::from_iter(members)))
}

/// A job that the reference server could answer.
fn job() -> Value {
    json!({
        "job_id": "job_1", "status": "queued", "done": false, "website_id": "web_1", "topic": "t", "metadata": {},
        "attempts": 0, "created_at": "2026-01-01T00:00:00.000Z"
    })
}

proptest! {
    #[test]
    fn any_object_can_be_read_as_an_article(object in any_object()) {
        prop_assert!(serde_json::from_value::<Article>(object).is_ok());
    }

    #[test]
    fn any_object_can_be_read_as_a_problem(object in any_object()) {
        prop_assert!(serde_json::from_value::<Problem>(object).is_ok());
    }

    #[test]
    fn any_object_with_a_job_id_can_be_read_as_a_queued_job(object in any_object(), id in ".{0,20}") {
        let mut object = object;
        object["job_id"] = json!(id);
        let queued: QueuedJob = serde_json::from_value(object).unwrap();
        prop_assert_eq!(queued.job_id, id);
    }

    #[test]
    fn members_and_states_that_are_not_known_are_kept(name in "x_[a-z]{1,8}", value in any_json(), state in "[a-z]{9,12}") {
        let mut object = job();
        object[&name] = value.clone();
        object["status"] = json!(&state);
        let read: Job = serde_json::from_value(object).unwrap();
        prop_assert_eq!(&read.extra[&name], &value);
        prop_assert!(matches!(&read.status, JobStatus::Unknown(value) if value.as_str() == state), "{:?}", read.status);
        let written = serde_json::to_value(&read).unwrap();
        prop_assert_eq!(&written[&name], &value);
        prop_assert_eq!(&written["status"], &json!(state));
    }

    #[test]
    fn an_event_that_is_not_known_is_kept_whole(object in any_object(), kind in "x\\.[a-z]{1,8}") {
        let mut object = object;
        object["type"] = json!(kind);
        let event: HookEvent = serde_json::from_value(object.clone()).unwrap();
        prop_assert_eq!(event.event_type(), kind);
        prop_assert!(matches!(&event, HookEvent::Unknown(kind) if kind.as_json() == &object), "{event:?}");
    }
}

#[test]
fn bounds_are_not_enforced_on_answers() {
    let article: Article =
        serde_json::from_value(json!({ "title": "x".repeat(5000), "slug": "No Slug", "faq": null })).unwrap();
    assert_eq!(article.title.map(|title| title.len()), Some(5000));
    assert!(article.faq.is_empty());
}

#[test]
fn a_member_of_another_type_reads_as_absent_and_leaves_the_others_readable() {
    let article: Article =
        serde_json::from_value(json!({ "title": "T", "created_at": 7, "outline": [{ "level": "two" }] })).unwrap();
    assert_eq!((article.title.as_deref(), article.created_at), (Some("T"), None));
    assert!(article.outline.is_empty());
}

#[test]
fn null_and_absence_mean_the_same() {
    let mut with_nulls = job();
    with_nulls["article_id"] = Value::Null;
    with_nulls["error"] = Value::Null;
    with_nulls["progress"] = Value::Null;
    with_nulls["metadata"] = Value::Null;
    let read: Job = serde_json::from_value(with_nulls).unwrap();
    assert_eq!(read, serde_json::from_value(job()).unwrap());
}

#[test]
fn answers_of_the_other_operations_stay_strict() {
    assert!(serde_json::from_value::<Job>(json!({})).is_err());
    assert!(serde_json::from_value::<Lead>(json!({})).is_err());
    assert!(serde_json::from_value::<QueuedJob>(json!({})).is_err());
}

#[test]
fn an_event_is_told_by_its_type_alone() {
    let lead = json!({ "type": "lead.captured", "id": "evt_1", "timestamp": "2026-01-01T00:00:00Z", "api_version": "v1",
        "data": { "article": {}, "job": {} } });
    assert!(serde_json::from_value::<HookEvent>(lead).is_err(), "a lead's event without a lead is no other event");
    let failed = json!({ "type": "job.failed", "id": "evt_1", "timestamp": "2026-01-01T00:00:00Z", "api_version": "v1",
        "data": { "job": job() } });
    assert!(
        matches!(serde_json::from_value(failed).unwrap(), HookEvent::JobFailed(event) if event.data.job.job_id == "job_1")
    );
}
