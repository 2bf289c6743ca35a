//! `har/ID.har`, as the network view of a browser reads it.

use contentgen_conformance::report::{self, About, Archives, Report};
use contentgen_conformance::runner::{Outcome, Selection, Settings};
use serde_json::Value;

use crate::support::cli::Workplace;
use crate::support::{Fake, answer, documented, in_memory};

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

#[tokio::test(start_paused = true)]
async fn archives_of_what_passes_are_written_on_demand_and_none_where_none_is_wanted() {
    let fake = documented::documented(&[], |_| None);
    let only = ["auth", "articles", "generate.documented"].map(ToOwned::to_owned).to_vec();
    let selection = Selection { only, skip: Vec::new() };
    let settings = Settings { selection, cases: 20, keep_exchanges: true, ..Settings::default() };
    let run = documented::run(&fake, settings, &|_| {}).await;
    let report = Report::new(&run, About::default());
    let place = Workplace::new();
    let passed: Vec<_> = run.results.iter().filter(|result| matches!(result.outcome, Outcome::Passed)).collect();
    let name = |id: &str| format!("har/{id}.har");
    for archives in [Archives::Failed, Archives::All, Archives::None] {
        report::write(&run, &report, place.path(), archives).unwrap();
        let written = passed.iter().filter(|result| place.has(&name(result.requirement.id)));
        let written: Vec<&str> = written.map(|result| result.requirement.id).collect();
        assert_eq!(written.len() > 1, archives == Archives::All, "{archives:?}: {written:?}");
        for id in written {
            assert!(!place.read(&name(id)).contains(documented::KEY), "{id}");
            let archive = place.json(&name(id));
            let entries = archive["log"]["entries"].as_array().unwrap();
            assert!((1..=12).contains(&entries.len()), "{id}: {}", entries.len());
            assert!(entries[0]["request"]["url"].as_str().unwrap().starts_with(in_memory::BASE_URL), "{id}");
        }
    }
}

/// Checks an entry against the rules of HAR 1.2.
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
