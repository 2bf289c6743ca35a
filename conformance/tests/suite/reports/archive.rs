//! `har/ID.har`, as the network view of a browser reads it.

use serde_json::Value;

use crate::support::cli::Workplace;
use crate::support::{Fake, answer};

#[test]
fn failing_exchanges_are_archived_as_har_1_2() {
    let fake = Fake::start(|seen| {
        let bytes: &[u8] = if seen.method == "POST" { b"\xff\xfe not text" } else { br#"{"a":"b"}"# };
        answer(200, &[("content-type", "application/json"), ("set-cookie", "a=b")], bytes)
    });
    let place = Workplace::new();
    let only = ["--only", "auth", "--only", "generate", "--only", "pages"];
    place.run(&[&["run", "--base-url", &fake.base_url, "--cases", "4", "--report-dir", "r"], &only[..]].concat());
    let mut entries = 0;
    for row in place.json("r/report.json")["requirements"].as_array().unwrap() {
        let name = format!("r/har/{}.har", row["id"].as_str().unwrap());
        assert_eq!(place.has(&name), row["failure"].is_object(), "{name}");
        if !row["failure"].is_object() {
            continue;
        }
        let archive = place.json(&name);
        assert_eq!(archive["log"]["version"], "1.2");
        assert!(archive["log"]["creator"]["version"].is_string());
        let shown = row["failure"]["exchanges"].as_array().unwrap();
        assert_eq!(archive["log"]["entries"].as_array().unwrap().len(), shown.len());
        for entry in archive["log"]["entries"].as_array().unwrap() {
            check(entry);
            entries += 1;
        }
    }
    assert!(entries > 20, "{entries}");
}

/// What HAR 1.2 demands of an entry.
fn check(entry: &Value) {
    let started = entry["startedDateTime"].as_str().unwrap();
    assert!(chrono::DateTime::parse_from_rfc3339(started).is_ok(), "{started}");
    let (request, response) = (&entry["request"], &entry["response"]);
    for part in [request, response] {
        assert_eq!(part["httpVersion"], "HTTP/1.1");
        for list in ["cookies", "headers"] {
            assert!(part[list].is_array(), "{part}");
        }
        assert!(part["headersSize"].is_i64() && part["bodySize"].is_u64(), "{part}");
    }
    assert!(request["url"].as_str().unwrap().starts_with("http://127.0.0.1"), "{request}");
    assert!(request["queryString"].is_array() && request["method"].is_string());
    assert!(response["status"].is_u64() && response["statusText"].is_string() && response["redirectURL"].is_string());
    let content = &response["content"];
    assert!(content["size"].is_u64() && content["mimeType"].is_string(), "{content}");
    assert!(content["text"].is_string(), "{content}");
    if request["method"] == "POST" {
        assert_eq!(content["encoding"], "base64", "bytes that are no text");
    }
    for time in ["send", "wait", "receive"] {
        assert!(entry["timings"][time].is_number());
    }
    assert!(entry["cache"].is_object() && entry["time"].is_number());
}
