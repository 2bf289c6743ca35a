//! `report.html` needs no other file, and the responses of a hostile target remain text.

use std::path::Path;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::support::cli::{COMMANDS, KEY, Workplace, assert_no_command};
use crate::support::{Fake, answer};

/// Ends scripts, styles, attributes, comments and titles, changes the writing direction, and moves a terminal's cursor.
const HOSTILE: &str = "</script><script>document.title='pwned'</script></style></title>--><img src=x onerror=alert(1)>\
                       \" onmouseover=\"alert(1) {{ 7*7 }} ]]> `<b>` | \u{202e}txt.exe \u{1b}[2J";

/// Returns the output of the run against the hostile server.
struct HostileRun {
    page: String,
    report: serde_json::Value,
    /// Path and text of each file below the folder of the reports.
    files: Vec<(String, String)>,
}

/// Returns one run for all tests of this file, because it takes seconds.
fn hostile_run() -> &'static HostileRun {
    static RUN: LazyLock<HostileRun> = LazyLock::new(HostileRun::new);
    &RUN
}

impl HostileRun {
    fn new() -> Self {
        let fake = Fake::start(|seen| {
            let key = seen.header("authorization").unwrap_or_default();
            let body = serde_json::json!({ "items": [], "title": HOSTILE, "code": format!("{HOSTILE}{COMMANDS}"), "you_sent": key });
            answer(
                200,
                &[("content-type", "application/json"), ("x-hostile", "</script><script>x")],
                body.to_string().as_bytes(),
            )
        });
        let place = Workplace::new();
        let arguments = ["run", "--base-url", &fake.base_url, "--seed", "7", "--cases", "8", "--report-dir", "r"];
        let ended = place.run(&arguments);
        assert_eq!(ended.code, 1, "{}", ended.errors);
        assert!(!ended.output.contains('\u{1b}') && !ended.errors.contains('\u{1b}'), "the terminal is not written to");
        assert_no_command(&ended.output);
        assert_no_command(&ended.errors);
        let mut files = Vec::new();
        everything_below(&place.path().join("r"), &mut files);
        Self { page: place.read("r/report.html"), report: place.json("r/report.json"), files }
    }
}

fn everything_below(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            everything_below(&path, found);
        } else {
            let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
}

/// Returns the text between the first `open` and the next `close`.
fn between<'page>(page: &'page str, open: &str, close: &str) -> &'page str {
    let begin = page.find(open).unwrap() + open.len();
    let end = page[begin..].find(close).unwrap();
    &page[begin..begin + end]
}

#[test]
fn what_a_hostile_target_answers_stays_text_and_the_key_shows_nowhere() {
    let HostileRun { page, files, .. } = hostile_run();
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    assert_eq!(page.matches("</style").count(), 1);
    assert!(!page.contains("<img") && !page.contains("<b>"));
    assert!(page.contains("&#60;/script&#62;") || page.contains("&lt;/script&gt;"), "the answer is shown");
    assert!(!page.contains('\u{202e}') && page.contains("\\u{202e}"));
    assert!(files.len() > 100, "{}", files.len());
    for (name, text) in files {
        for length in [KEY.len(), 16] {
            assert!(!text.contains(&KEY[..length]), "{name} holds {length} characters of the key");
        }
    }
}

#[test]
fn the_page_allows_its_own_script_and_style_and_loads_nothing() {
    let page = &hostile_run().page;
    let policy = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let policy = policy.replace("&#39;", "'").replace("&#x27;", "'");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    for (open, close, directive) in [("<style>", "</style>", "style-src"), ("<script>", "</script>", "script-src")] {
        let digest = STANDARD.encode(Sha256::digest(between(page, open, close).as_bytes()));
        assert!(policy.contains(&format!("{directive} 'sha256-{digest}'")), "{directive} in {policy}");
    }
    for loading in [" src=", "url(", "@import", "<link", "<iframe", "<object", "srcset"] {
        assert!(!page.replace("src=x onerror", "").contains(loading), "{loading}");
    }
    for (index, _) in page.match_indices(" href=\"") {
        assert!(page[index + 7..].starts_with('#'), "{}", &page[index..index + 60]);
    }
}

#[test]
fn the_page_says_what_was_checked_and_how_to_repeat_it() {
    let HostileRun { page, report, .. } = hostile_run();
    for row in report["requirements"].as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    for part in [
        "lang=\"en\"",
        "What to fix first",
        "p95",
        "--seed 7",
        "contentgen-conformance replay r/failures/auth.missing.refused.json",
        "scope=\"row\"",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let untrusted = page.matches("<details>").count();
    assert!(untrusted > 50, "{untrusted}");
}

#[test]
fn what_to_fix_comes_right_after_the_verdict_and_only_when_there_is_something() {
    let page = &hostile_run().page;
    let first = between(page, "<section", "</section>");
    assert!(first.contains("What to fix first"), "{first}");
    let fake = Fake::constant(404, "{}");
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused", "--report-dir", "r"]);
    let page = &place.read("r/report.html");
    assert!(!page.contains("What to fix first") && between(page, "<section", "</section>").contains("The run"));
}

#[test]
fn a_filter_that_matches_nothing_says_so_and_what_to_do() {
    let page = &hostile_run().page;
    let empty = between(page, "<div class=\"empty\" hidden>", "</div>");
    assert!(empty.contains("Nothing matches") && empty.contains("Show everything"), "{empty}");
    assert!(between(page, "<script>", "</script>").contains("empty.hidden = !nothing"));
}

#[test]
fn what_scrolls_sideways_scrolls_in_its_own_frame() {
    let page = &hostile_run().page;
    // A frame clips absolutely positioned content only if the frame itself is positioned.
    let frame = between(page, "\n.wide {", "}");
    assert!(frame.contains("position: relative") && frame.contains("overflow-x: auto"), "{frame}");
}

#[test]
fn operations_that_never_answered_for_themselves_are_no_measurement() {
    let fake = Fake::start(|seen| {
        let status = if seen.path.contains("/articles/") { 200 } else { 404 };
        answer(status, &[("content-type", "application/json")], b"{}")
    });
    let place = Workplace::new();
    let only = ["--only", "auth.missing", "--only", "http.methods", "--profile", "full"];
    place.run(&[&["run", "--base-url", &fake.base_url, "--cases", "4", "--report-dir", "r"], &only[..]].concat());
    let measured = |row: &serde_json::Value| (row["operation"].clone(), row["is_offered"].clone());
    let rows: Vec<_> = place.json("r/report.json")["latency"].as_array().unwrap().iter().map(measured).collect();
    assert!(rows.contains(&("get_article".into(), true.into())), "{rows:?}");
    assert!(rows.contains(&("generate".into(), false.into())), "{rows:?}");
    let page = &place.read("r/report.html");
    let times = between(page, "<table class=\"latency\">", "</table>");
    assert!(times.contains(">get_article</th>") && !times.contains("generate"), "{times}");
    assert!(between(page, "Not measured", "</p>").contains("generate"));
}

#[test]
fn the_replay_line_works_from_where_the_run_was_started() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let only = ["--only", "auth.missing.refused", "--report-dir", "the reports"];
    place.run(&[&["run", "--base-url", &fake.base_url], &only[..]].concat());
    let page = place.read("the reports/report.html").replace("&#39;", "'").replace("&#x27;", "'");
    let line = "contentgen-conformance replay 'the reports/failures/auth.missing.refused.json'";
    assert!(page.contains(line), "{page}");
    let words = shlex::split(line).unwrap();
    assert!(place.run(&words[1..].iter().map(String::as_str).collect::<Vec<_>>()).output.contains("It still fails."));
}
