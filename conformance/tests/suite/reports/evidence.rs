//! Evidence of a failure: the wrong exchange, the account of its key, and the received webhooks.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use crate::support::cli::{Ended, KEY, Workplace};
use crate::support::{Fake, Seen, answer};

const SECOND_KEY: &str = "cg_live_zyxwvutsrq987654OTHER";
const HOOK_SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

fn failure(place: &Workplace, id: &str) -> Value {
    let report = place.json("r/report.json");
    let rows = report["requirements"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == id).unwrap();
    assert!(row["failure"].is_object(), "{row:#}");
    row["failure"].clone()
}

/// Accepts every key, and responds to a cancellation correctly.
fn careless(seen: &Seen) -> Vec<u8> {
    let (status, body) = match (seen.method.as_str(), seen.path.as_str()) {
        ("POST", "/api/v1/generate") => (202, json!({ "job_id": "job_1", "status": "queued" })),
        ("POST", _) => (200, json!({ "job_id": "job_1", "status": "cancelled", "done": true })),
        ("GET", path) if path.contains("/jobs/") => (200, json!({ "job_id": "job_1", "status": "cancelled" })),
        _ => (404, json!({ "status": 404 })),
    };
    answer(status, &[("content-type", "application/json")], body.to_string().as_bytes())
}

#[test]
fn the_exchange_that_is_wrong_leads_wherever_it_stands_in_its_case() {
    let fake = Fake::start(careless);
    let place = Workplace::new();
    let only = ["--only", "idempotency.key.malformed", "--profile", "full", "--seed", "4"];
    let ended = place.run(&[&["run", "--base-url", &fake.base_url, "--report-dir", "r"], &only[..]].concat());
    let failure = failure(&place, "idempotency.key.malformed");
    let exchanges = failure["exchanges"].as_array().unwrap();
    let paths: Vec<&str> = exchanges.iter().map(|exchange| exchange["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/api/v1/generate", "/api/v1/jobs/job_1/cancel"], "the malformed key, then the tidying up");
    let decisive: Vec<bool> = exchanges.iter().map(|exchange| exchange["is_decisive"] == true).collect();
    assert_eq!(decisive, [true, false]);
    let sent = "exchange 1 of 2, look here first";
    let page = place.read("r/report.html");
    let first = page.find("Exchange 1 of 2, look here first").unwrap();
    let curl = page.find("Send this request again").unwrap();
    let other = page.find("<summary>Exchange 2 of 2:").unwrap();
    assert!(first < curl && curl < other, "{first} {curl} {other}");
    assert!(place.read("r/junit.xml").contains(sent));
    assert!(place.read("r/summary.md").contains("Exchange 1 of 2, look here first"));
    assert!(ended.output.contains("1 of 2, look here first: POST /api/v1/generate → 202"), "{}", ended.output);
    for text in [&ended.output, &place.read("r/summary.md")] {
        assert!(text.contains("curl") && !text.contains("/cancel"), "{text}");
    }
    let archive = place.json("r/har/idempotency.key.malformed.har");
    assert_eq!(archive["log"]["entries"][0]["comment"], "look here first");
    assert!(archive["log"]["entries"][1]["comment"].is_null());
}

/// Returns lists of 30 rows whose third page begins with a row of the second one.
fn repeating(seen: &Seen) -> Vec<u8> {
    let url = url::Url::parse(&format!("http://h{}", seen.path)).unwrap();
    let query = |name: &str| url.query_pairs().find(|(known, _)| known == name)?.1.parse::<usize>().ok();
    let (limit, page) = (query("limit").unwrap_or(20), query("page_token").unwrap_or(0));
    let first = (page * limit).saturating_sub(usize::from(page >= 2));
    let row = |number| json!({ "id": format!("row-{number}."), "website_id": format!("row-{number}.") });
    let items: Vec<Value> = (first..30.min(first + limit)).map(row).collect();
    let next = (first + limit < 30).then(|| (page + 1).to_string());
    let body = json!({ "items": items, "next_page": next }).to_string();
    answer(200, &[("content-type", "application/json")], body.as_bytes())
}

#[test]
fn a_page_early_in_a_long_walk_is_kept_when_it_is_the_one_that_is_wrong() {
    let fake = Fake::start(repeating);
    let place = Workplace::new();
    let only = ["--only", "pages.walk.nothing-lost", "--profile", "full", "--seed", "4", "--cases", "16"];
    place.run(&[&["run", "--base-url", &fake.base_url, "--report-dir", "r"], &only[..]].concat());
    let failure = failure(&place, "pages.walk.nothing-lost");
    assert_eq!((&failure["observed"], &failure["case"]["limit"]), (&json!("row-1. twice"), &json!(1)), "{failure:#}");
    let exchanges = failure["exchanges"].as_array().unwrap();
    let count = failure["exchange_count"].as_u64().unwrap();
    assert!(exchanges.len() == 12 && count > 20, "{} of {count}", exchanges.len());
    let decisive: Vec<&Value> = exchanges.iter().filter(|exchange| exchange["is_decisive"] == true).collect();
    assert_eq!(decisive.len(), 1);
    assert!(decisive[0]["path"].as_str().unwrap().ends_with("page_token=2"), "{}", decisive[0]);
    assert!(decisive[0]["body"].as_str().unwrap().contains("row-1."));
    assert_eq!(decisive[0]["position"], exchanges[0]["position"], "in order");
    let note =
        format!("8 more exchanges are in har/pages.walk.nothing-lost.har, beside this page; {} more", count - 12);
    assert!(place.read("r/report.html").contains(&note), "{note}");
}

#[test]
fn two_accounts_are_told_apart_by_the_variables_of_their_keys() {
    let fake = Fake::start(careless);
    let place = Workplace::new();
    let target = format!(
        "[target]\nbase_url = \"{}\"\napi_key_env = \"FIRST_KEY\"\nwebsite_id = \"web_1\"\n\
         [target.other_account]\napi_key_env = \"SECOND_KEY\"\nwebsite_id = \"web_2\"\n",
        fake.base_url
    );
    place.write("conformance.toml", &target);
    let only = ["--only", "isolation.idempotency.scope", "--profile", "full"];
    let mut command =
        place.command(&[&["run", "--config", "conformance.toml", "--report-dir", "r"], &only[..]].concat());
    command.env("FIRST_KEY", KEY).env("SECOND_KEY", SECOND_KEY).output().unwrap();
    let failure = failure(&place, "isolation.idempotency.scope");
    let har = place.json("r/har/isolation.idempotency.scope.har");
    let page = place.read("r/report.html");
    for (at, variable) in ["FIRST_KEY", "SECOND_KEY"].iter().enumerate() {
        let shown = format!("Bearer [masked: {variable}]");
        let exchange = &failure["exchanges"][at];
        assert_eq!(exchange["request_headers"][0], json!(["authorization", shown]));
        assert!(exchange["curl"].as_str().unwrap().contains(&format!("Bearer ${variable}\"")), "{exchange}");
        assert_eq!(har["log"]["entries"][at]["request"]["headers"][0]["value"], *shown);
        assert!(page.contains(&format!("authorization: {shown}")));
    }
    assert!(!page.contains(&KEY[..16]) && !page.contains(&SECOND_KEY[..16]));
}

/// Builds a webhook about a lead to a path.
type Hook = fn(&str, &Value) -> String;

/// Replaces the decomposed letter é by the composed one, and leaks a secret.
fn forgetful(path: &str, lead: &Value) -> String {
    let text = lead["text"].as_str().unwrap().replace("e\u{301}", "\u{e9}");
    let body = json!({ "kind": "lead", "mail": lead["mail"], "text": text, "leak": HOOK_SECRET }).to_string();
    format!(
        "POST /{path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-type: application/json\r\n\
         x-shop-signature: 0123456789abcdef\r\nauthorization: Basic aG9vazpob29r\r\nx-try: 1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Puts the lead's data into the URL.
fn by_address(path: &str, lead: &Value) -> String {
    format!("GET /{path}?mail={} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n", lead["mail"].as_str().unwrap())
}

/// Sends a webhook about every lead to the address that `register` received.
fn sender(place: &Workplace, hook: Hook) -> Fake {
    let address = place.path().join("hook-url");
    let send = Arc::new(move |lead: Vec<u8>| {
        let lead: Value = serde_json::from_slice(&lead).unwrap();
        let url = std::fs::read_to_string(&address).unwrap();
        let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(hook(path, &lead).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
    });
    Fake::start(move |seen| {
        if seen.path == "/form" {
            let (send, lead) = (Arc::clone(&send), seen.body.clone());
            thread::spawn(move || send(lead));
            return answer(204, &[], b"");
        }
        answer(404, &[("content-type", "application/json")], b"{}")
    })
}

/// Checks a requirement of webhooks against a sender.
fn checked(hook: Hook, ready_within: &str, id: &str) -> (Ended, Workplace) {
    let place = Workplace::new();
    let fake = sender(&place, hook);
    let config = format!(
        r#"[target]
base_url = "{}"
website_id = "web_1"
profile = "core"
[article]
ready_within = "{ready_within}"
[hooks]
listen = "127.0.0.1:0"
public_url = "http://127.0.0.1:{{port}}"
register = ["sh", "-c", "printf %s \"$CONTENTGEN_HOOK_URL\" > hook-url; echo '{HOOK_SECRET}'"]
[leads]
capture = {{ method = "POST", url = "{{base_url}}/form", json = {{ mail = "{{email}}", who = "{{name}}", text = "{{message}}" }} }}
"#,
        fake.base_url
    );
    place.write("conformance.toml", &config);
    let ended = place.run(&["run", "--config", "conformance.toml", "--strict", "--only", id, "--report-dir", "r"]);
    assert_eq!(ended.code, 1, "{}{}", ended.output, ended.errors);
    (ended, place)
}

#[test]
fn a_hook_that_holds_nothing_is_told_from_one_that_did_not_come() {
    let (ended, _) = checked(by_address, "2s", "hooks.lead.sent");
    assert!(ended.output.contains("but a GET without a body"), "{}", ended.output);
}

#[test]
fn a_broken_hook_requirement_shows_what_arrived_and_where_the_text_differs() {
    let id = "hooks.lead.text-survives";
    let (ended, place) = checked(forgetful, "10s", id);
    let failure = failure(&place, id);
    let observed = failure["observed"].as_str().unwrap();
    assert!(observed.starts_with("the text at /text differs from character 33 on: "), "{observed}");
    assert!(observed.contains("\\u{e9} lorem") && observed.contains("e\\u{301} lorem"), "{observed}");
    assert_eq!(failure["hook_count"], 1);
    let hook = &failure["hooks"][0];
    assert_eq!((&hook["method"], &hook["answered"]), (&json!("POST"), &json!(204)), "{hook}");
    assert!(hook["arrived_ms"].is_u64() && hook["path"].as_str().unwrap().starts_with("/hooks/"), "{hook}");
    for (name, value) in
        [("x-shop-signature", "[masked, 16 characters]"), ("authorization", "[masked, 18 characters]"), ("x-try", "1")]
    {
        assert!(hook["headers"].as_array().unwrap().contains(&json!([name, value])), "{hook}");
    }
    assert!(hook["body"].as_str().unwrap().contains("\"kind\":\"lead\""), "{hook}");
    assert_eq!(place.json(&format!("r/failures/{id}.json"))["hooks"][0], *hook);
    let page = place.read("r/report.html");
    for text in [&page, &ended.output, &place.read("r/junit.xml"), &place.read("r/summary.md")] {
        assert!(text.contains("/hooks/") && text.contains("204") && text.contains("lead"), "{text}");
        assert!(!text.contains(&HOOK_SECRET[..16]) && !text.contains("aG9vazpob29r"), "{text}");
    }
    let again = place.run(&["replay", &format!("r/failures/{id}.json")]);
    assert!(again.output.contains("It still fails."), "{}{}", again.output, again.errors);
}
