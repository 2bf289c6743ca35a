//! Internals that no error may show: stack traces, SQL, paths of files, private addresses.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Exchange, Facts, Finding, Request, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, problem};

/// Maximum number of bytes of a text that are searched: an error page may have megabytes.
const LOOKED_AT: usize = 8 * 1024;

/// Fields for a place in the request or for the kind of problem.
const PLACES: [&str; 4] = ["instance", "pointer", "parameter", "type"];

/// Name of an internal, and the pattern that finds it.
const PATTERNS: [(&str, &str); 22] = [
    ("a trace of Rust", r"panicked at|stack backtrace:|\.rs:\d+"),
    ("a trace of Python", r#"Traceback \(most recent|File "[^"]+", line \d+|\.py", line"#),
    ("a trace of the JVM", r"\bat [\w$.]+\([\w$ ]+\.(?:java|kt|scala|groovy):\d+\)|\bat (?:java|javax|jdk|kotlin)\."),
    ("an exception of the JVM", r"\b(?:[a-z]\w*\.){2,}[A-Z]\w*(?:Exception|Error)\b"),
    ("a trace of JavaScript", r"\bat .{0,120}\.[cm]?[jt]sx?:\d+:\d+|\bnode_modules/|\bnode:internal/"),
    ("a trace of Go", r"\bgoroutine \d+ \[|\.go:\d+"),
    ("a trace of .NET", r"\bat [\w.<>`\[\],]+\([^)]*\) in \S.*:line \d+|\bSystem\.(?:\w+\.)*\w+Exception\b"),
    ("a trace of Ruby", r"\.rb:\d+(?::in\b|\b)"),
    ("a trace of PHP", r"\.php(?:\(\d+\)|:\d+| on line \d+)|PHP (?:Fatal|Warning|Notice)"),
    ("a trace of Elixir", r"\.exs?:\d+: |\(\w+Error\) "),
    ("a trace of C or C++", r"\b\w+\.(?:c|cc|cpp|h|hpp):\d+\b|Segmentation fault|core dumped"),
    (
        "SQL that reads",
        r"(?s)\bSELECT [\w*]|(?i:\bselect\b.{1,400}?\bfrom\b.{1,200}?\b(?:where|limit|join|order by)\b)",
    ),
    ("SQL that writes", r"(?i)\bINSERT INTO \S|\bDELETE FROM \S|\bUPDATE \S+ SET \S"),
    ("a code of a database", r"\bSQLITE_[A-Z]+|\bSQLSTATE\b|\bORA-\d{5}|\bER_[A-Z]+_[A-Z_]+"),
    ("a constraint of a database", r"(?i)violates [\w -]{0,40}constraint|constraint failed: |duplicate key value"),
    ("a table of a database", r#"(?i)\brelation "[^"]*"|\bno such (?:table|column)\b|syntax error at or near"#),
    (
        "a path of a file",
        r#"(?:^|[\s"'(=\[:])/(?:app|etc|home|mnt|opt|private|proc|root|run|srv|tmp|usr|Users|var|workspace)/[\w.-]+"#,
    ),
    ("a path of a file", r"\b[A-Za-z]:\\{1,2}[\w$ ]|\bfile://"),
    (
        "a private address",
        r"\b(?:10(?:\.\d{1,3}){3}|127(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2})\b",
    ),
    ("a private address", r"(?i)\b(?:fe80:|f[cd][0-9a-f]{2}:[0-9a-f:]*:)[0-9a-f:]+"),
    ("a name in a private network", r"\b[\w-]+(?:\.[\w-]+)*\.(?:internal|svc\.cluster\.local|localdomain)\b"),
    ("an error of a connection", r"\bECONN(?:REFUSED|RESET)\b|\bETIMEDOUT\b|\bENOENT\b|\bEACCES\b|os error \d+"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "problems.detail.no-internals",
            "An error shows no internals of the service: no stack traces, SQL, file paths or private addresses.",
            &[
                Sentence(
                    "An error shows no internals of the service, such as stack traces, SQL, file paths or private addresses.",
                ),
                Standard("RFC 9457", "5"),
            ],
            call_each_operation,
        )
        .observing(internals),
    ]
}

static COMPILED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    PATTERNS.iter().map(|(what, pattern)| (*what, Regex::new(pattern).expect("constant patterns compile"))).collect()
});

fn internals(_: &Document, facts: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let sent = sent(&exchange.request);
    let own_host = url::Url::parse(&facts.base_url).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
    // Excludes texts that the client sent or already knows.
    let is_known = |found: &str| sent.contains(found) || own_host.as_deref() == Some(found);
    let found = if body.is_null() {
        in_text(&String::from_utf8_lossy(&exchange.body), &is_known)
    } else {
        in_members("", body, &is_known)
    };
    Some(match found {
        None => Ok(()),
        Some(found) => Err(Finding::new("an error without internals", format!("{found} in {}", exchange.line()))),
    })
}

/// Returns all texts of a request that a response may repeat, encoded and decoded.
fn sent(request: &Request) -> String {
    let body = request.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let path = percent_decoded(&request.path);
    let read = serde_json::from_str::<Value>(&body).map(|body| texts(&body).join("\n")).unwrap_or_default();
    let headers: Vec<&str> = request.headers.iter().map(|(_, value)| value.as_str()).collect();
    [&*request.path, &path, &body, &read, &headers.join("\n")].join("\n")
}

fn percent_decoded(path: &str) -> String {
    // Keeps plus signs, which the decoder for forms would replace.
    let path = path.replace('+', "%2B").replace(['&', '='], " ");
    url::form_urlencoded::parse(path.as_bytes()).flat_map(|(name, value)| [name, value]).collect()
}

/// Returns every name and text below a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(name, member)| [vec![name.as_str()], texts(member)].concat()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the first internal in the fields of a value, with its place.
fn in_members(at: &str, value: &Value, is_known: &impl Fn(&str) -> bool) -> Option<String> {
    match value {
        Value::String(text) => in_text(text, is_known).map(|found| format!("{at} with {found}")),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| in_members(&format!("{at}/{index}"), item, is_known))
        }
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !PLACES.contains(&name.as_str()))
            .find_map(|(name, member)| in_members(&format!("{at}/{name}"), member, is_known)),
        _ => None,
    }
}

fn in_text(text: &str, is_known: &impl Fn(&str) -> bool) -> Option<String> {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    let found = |(what, pattern): &(&str, Regex)| {
        let found = pattern.find_iter(text).find(|found| !is_known(found.as_str().trim()))?;
        Some(format!("{what}: {}", found.as_str().trim()))
    };
    COMPILED.iter().find_map(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{in_members, in_text, sent};
    use crate::check::Request;

    #[test]
    fn internals_of_common_servers_are_found() {
        for text in [
            "thread 'main' panicked at src/main.rs:4:5",
            "  File \"/srv/app/views.py\", line 12, in get",
            "\tat com.example.Finder.find(Finder.java:42)",
            "java.lang.NullPointerException",
            "at Object.<anonymous> (/srv/app/index.js:3:7)",
            "goroutine 17 [running]:",
            "handlers/articles.go:88",
            "at Shop.Articles.Get(String id) in C:\\build\\Articles.cs:line 12",
            "app/models/article.rb:10:in `find'",
            "Uncaught Error in index.php on line 3",
            "SELECT body FROM records WHERE id = ?1",
            "select \"a\".\"id\" from \"articles\" as \"a\" where \"a\".\"id\" = $1",
            "duplicate key value violates unique constraint \"jobs_pkey\"",
            "relation \"jobs\" does not exist",
            "no such file: /var/lib/content/articles.db",
            "cannot reach 10.0.3.17:5432",
            "db.prod.internal refused",
            "[fe80::1]:9200",
        ] {
            assert!(in_text(text, &|_| false).is_some(), "{text}");
        }
    }

    #[test]
    fn explanations_of_errors_are_not_internals() {
        for text in [
            "No article has this id.",
            "topic must have 1 to 1000 characters; select a shorter one from your list.",
            "limit must be at most 100, not 10.5",
            "urn:problem-type:content-generation:article_not_found",
            "See https://docs.example/errors/validation_failed, and update your key set.",
            "The time 2026-11-02T08:00:08.615Z lies before 2026-11-02T08:00:00Z.",
            "Path /api/v1/tour has no route. Media types: application/json, text/plain.",
            "request 0192f3a4-7c1f-fd00-b52a-10a0b1c2d3e4",
        ] {
            assert_eq!(in_text(text, &|_| false), None, "{text}");
        }
    }

    #[test]
    fn every_field_is_searched_and_texts_of_the_request_are_excluded() {
        let body = json!({ "errors": [{ "detail": "in /srv/app/keys.go:88", "pointer": "/tmp/a" }] });
        assert!(in_members("", &body, &|_| false).is_some_and(|found| found.starts_with("/errors/0/detail")));
        let request = Request::new("get_article", "GET", "/articles/..%2Fetc%2F10.0.0.1");
        let sent = sent(&request.json(&json!({ "topic": "SELECT a\nFROM b" })));
        for echoed in ["10.0.0.1", "SELECT a\nFROM b", "../etc/10.0.0.1"] {
            assert!(sent.contains(echoed), "{echoed}");
        }
    }
}
