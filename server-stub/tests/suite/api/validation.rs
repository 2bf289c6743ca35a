//! Rejected bodies and queries: JSON, media type, size, and every constraint of the schema with its code and place.

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::Clock as _;
use serde_json::{Value, json};

use super::world::World;

const GENERATE: &str = "/api/v1/generate";

#[tokio::test]
async fn what_is_not_one_json_object_is_invalid_json() {
    let caller = World::shared().first();
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(128), "]".repeat(128));
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "\"topic\"",
        "{\"topic\":1,\"topic\":2}",
        "{\"x\":{\"a\":1,\"a\":2}}",
        "\u{feff}{}",
        "{\"a\":\"\\ud800\"}",
        "{}{}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":NaN}",
        &deep,
    ];
    for body in bodies {
        assert_eq!(caller.post_text(GENERATE, body).await.problem(), (400, "invalid_json".to_owned()), "{body:.40}");
    }
}

#[tokio::test]
async fn the_media_type_is_checked_before_the_body() {
    let caller = World::shared().first();
    for media_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/merge-patch+json",
        "json",
        "",
    ] {
        let request = caller.request("POST", GENERATE).header("content-type", media_type).body("{");
        assert_eq!(caller.send(request).await.problem().1, "unsupported_media_type", "{media_type}");
    }
    let none = caller.send(caller.request("POST", GENERATE).body("{}")).await;
    assert_eq!(none.problem(), (415, "unsupported_media_type".to_owned()));
    let packed = caller
        .request("POST", GENERATE)
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body("{}");
    assert_eq!(caller.send(packed).await.status, 415);
    for media_type in ["application/json; charset=utf-8", "Application/JSON;charset=latin1", "application/json ; q=1"] {
        let request = caller.request("POST", GENERATE).header("content-type", media_type).body("{}");
        assert_eq!(caller.send(request).await.status, 422, "{media_type}");
    }
}

#[tokio::test]
async fn a_large_body_is_refused_everywhere_and_a_small_one_is_ignored_where_none_is_wanted() {
    let world = World::shared();
    let caller = world.first();
    let mut fits = world.order("Large").to_string();
    fits.push_str(&" ".repeat(64 * 1024 - fits.len()));
    assert_eq!(caller.post_text(GENERATE, &fits).await.status, 202);
    fits.push(' ');
    assert_eq!(caller.post_text(GENERATE, &fits).await.problem(), (413, "payload_too_large".to_owned()));
    assert_eq!(caller.post_text(GENERATE, &"x".repeat(3_000_000)).await.status, 413);
    let get = |size: usize| caller.request("GET", "/api/v1/websites").body("x".repeat(size));
    assert_eq!(caller.send(get(1000)).await.status, 200);
    assert_eq!(caller.send(get(70_000)).await.status, 413);
    assert_eq!(caller.post_text("/api/v1/jobs/job_x/cancel", "not json").await.problem().1, "job_not_found");
    // The key is checked first. The rejection arrives although the server does not read the body.
    assert_eq!(caller.with_key(None).post_text(GENERATE, &"x".repeat(3_000_000)).await.status, 401);
}

#[tokio::test]
async fn each_broken_constraint_is_named_with_its_place() {
    let world = World::shared();
    let caller = world.first();
    let long = |length: usize| "x".repeat(length);
    let many = |count: usize| Value::from(vec!["k"; count]);
    let members = |count: usize| -> Value {
        (0..count).map(|index| (format!("m{index}"), json!("v"))).collect::<serde_json::Map<_, _>>().into()
    };
    // Two days more than the limit. On the last day of February, midnight moves the limit by one day.
    let next_year = SystemClock.wall().to_chrono().checked_add_months(chrono::Months::new(12)).unwrap();
    let too_late = next_year + chrono::TimeDelta::days(2);
    let cases = [
        ("topic", json!(""), "too_short", "#/topic"),
        ("topic", json!(" \u{2003}\n"), "too_short", "#/topic"),
        ("topic", json!(long(1001)), "too_long", "#/topic"),
        ("topic", json!("a\u{0}b"), "invalid_format", "#/topic"),
        ("topic", json!("a\rb"), "invalid_format", "#/topic"),
        ("topic", json!("a\u{85}b"), "invalid_format", "#/topic"),
        ("topic", json!(null), "invalid_format", "#/topic"),
        ("topic", json!(["x"]), "invalid_format", "#/topic"),
        ("website_id", json!(""), "too_short", "#/website_id"),
        ("website_id", json!(long(129)), "too_long", "#/website_id"),
        ("language", json!("english_uk"), "invalid_format", "#/language"),
        ("language", json!("en-"), "invalid_format", "#/language"),
        ("keywords", many(11), "too_many", "#/keywords"),
        ("keywords", json!(["a", ""]), "too_short", "#/keywords/1"),
        ("keywords", json!([long(81)]), "too_long", "#/keywords/0"),
        ("keywords", json!([1]), "invalid_format", "#/keywords/0"),
        ("keywords", json!("a"), "invalid_format", "#/keywords"),
        ("target_word_count", json!(199), "out_of_range", "#/target_word_count"),
        ("target_word_count", json!(5001), "out_of_range", "#/target_word_count"),
        ("target_word_count", json!(200.0), "invalid_format", "#/target_word_count"),
        ("target_word_count", json!("200"), "invalid_format", "#/target_word_count"),
        ("auto_publish", json!("true"), "invalid_format", "#/auto_publish"),
        ("publish_at", json!("2027-01-01"), "invalid_format", "#/publish_at"),
        ("publish_at", json!("2027-01-01T00:00:00"), "invalid_format", "#/publish_at"),
        ("publish_at", json!("2027-02-30T00:00:00Z"), "invalid_format", "#/publish_at"),
        ("publish_at", json!(too_late.to_rfc3339()), "out_of_range", "#/publish_at"),
        ("metadata", members(17), "too_many", "#/metadata"),
        ("metadata", json!({ "a/b": long(501) }), "too_long", "#/metadata/a~1b"),
        ("metadata", json!({ "n": 1 }), "invalid_format", "#/metadata/n"),
        ("metadata", json!({ long(41): "v" }), "too_long", &format!("#/metadata/{}", long(41))),
        ("metadata", json!({ "": "v" }), "too_short", "#/metadata/"),
    ];
    for (member, value, code, place) in cases {
        let mut body = world.order("A topic");
        body[member] = value;
        let answer = caller.generate(&body).await;
        assert_eq!(answer.problem(), (422, "validation_failed".to_owned()), "{body:.200}");
        assert_eq!(answer.field_errors(), [(code.to_owned(), place.to_owned())], "{body:.200}");
    }
}

#[tokio::test]
async fn what_just_fits_is_accepted() {
    let world = World::shared();
    let caller = world.first();
    let cases = [
        ("topic", json!(format!(" {} ", "\u{1F600}".repeat(1000)))),
        ("topic", json!("a\tb\nc")),
        ("language", json!("zh-Hant-TW-x-private")),
        ("language", json!("EN-us")),
        ("keywords", json!([" "])),
        ("keywords", Value::from(vec!["\u{e9}".repeat(80); 10])),
        ("target_word_count", json!(200)),
        ("publish_at", json!("1999-12-31T23:59:60Z")),
        ("publish_at", json!("2026-01-01t00:00:00+23:59")),
        ("metadata", json!({ "\u{1F600}".repeat(40): "\u{e9}".repeat(500) })),
    ];
    for (member, value) in cases {
        let mut body = world.order("A topic");
        body[member] = value;
        let answer = caller.generate(&body).await;
        assert_eq!(answer.status, 202, "{body:.200}: {}", answer.text());
    }
}

#[tokio::test]
async fn every_schema_violation_of_a_body_is_reported_at_once() {
    let caller = World::shared().first();
    let answer = caller.generate(&json!({ "topic": "", "keywords": [1, ""], "target_word_count": 1 })).await;
    let expected = [
        ("invalid_format", "#/keywords/0"),
        ("out_of_range", "#/target_word_count"),
        ("required", "#/website_id"),
        ("too_short", "#/keywords/1"),
        ("too_short", "#/topic"),
    ];
    assert_eq!(answer.field_errors(), expected.map(|(code, place)| (code.to_owned(), place.to_owned())));
}

#[tokio::test]
async fn a_website_that_is_not_the_callers_is_not_found() {
    let world = World::shared();
    for website_id in ["web_nothing", &world.accounts[1].website_id] {
        let answer = world.first().generate(&json!({ "topic": "A topic", "website_id": website_id })).await;
        assert_eq!(answer.problem(), (422, "website_not_found".to_owned()));
        assert_eq!(answer.field_errors(), [("not_found".to_owned(), "#/website_id".to_owned())]);
    }
}

#[tokio::test]
async fn broken_queries_name_the_parameter() {
    let caller = World::shared().first();
    let cases = [
        ("/api/v1/articles?limit=0", "out_of_range", "limit"),
        ("/api/v1/articles?limit=101", "out_of_range", "limit"),
        ("/api/v1/articles?limit=99999999999999999999", "out_of_range", "limit"),
        ("/api/v1/articles?limit=", "invalid_format", "limit"),
        ("/api/v1/articles?limit=1.0", "invalid_format", "limit"),
        ("/api/v1/articles?limit=ten&page_token=x", "invalid_format", "limit"),
        ("/api/v1/articles?limit=5&limit=5", "invalid_format", "limit"),
        ("/api/v1/articles?status=gone", "invalid_format", "status"),
        ("/api/v1/articles?updated_since=yesterday", "invalid_format", "updated_since"),
        ("/api/v1/scheduled_posts?status=draft", "invalid_format", "status"),
        ("/api/v1/leads?website_id=", "too_short", "website_id"),
        ("/api/v1/leads?captured_since=2026-11-01", "invalid_format", "captured_since"),
    ];
    for (path, code, parameter) in cases {
        let answer = caller.get(path).await;
        assert_eq!(answer.problem(), (422, "validation_failed".to_owned()), "{path}");
        assert_eq!(answer.field_errors(), [(code.to_owned(), parameter.to_owned())], "{path}");
    }
    assert_eq!(caller.get("/api/v1/articles?unknown=1&unknown=2&limit=5").await.status, 200);
}
