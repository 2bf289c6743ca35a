//! A target behind access protection. Every request has the headers that the configuration names, and no output shows their values.

use crate::support::cli::{KEY, Workplace, ended, has_key};
use crate::support::{Fake, Seen, answer};

const SECRET: &str = "way_in_0123456789abcdefSECRET";
const STAGE: &str = "blue-green-7";

/// Returns true if a request passes the protection.
fn is_let_in(seen: &Seen) -> bool {
    seen.header("cf-access-client-secret") == Some(SECRET) && seen.header("x-stage") == Some(STAGE)
}

/// Returns a workplace with the configuration of a target at this address.
fn place(base_url: &str) -> Workplace {
    let place = Workplace::new();
    let headers = format!("{{ CF-Access-Client-Secret = \"$MY_WAY_IN\", X-Stage = \"{STAGE}\" }}");
    let target = format!("[target]\nbase_url = \"{base_url}\"\nwebsite_id = \"web_1\"\nheaders = {headers}\n");
    place.write("conformance.toml", &target);
    place
}

fn run(place: &Workplace, more: &[&str]) -> crate::support::cli::Ended {
    let always = ["run", "--config", "conformance.toml", "--seed", "3", "--report-dir", "r"];
    let mut command = place.command(&[&always, more].concat());
    ended(&command.env("MY_WAY_IN", SECRET).output().unwrap())
}

#[test]
fn every_request_carries_the_headers_of_the_configuration() {
    let fake = Fake::start(|seen| match (is_let_in(seen), has_key(seen)) {
        (false, _) => answer(403, &[("content-type", "text/html")], b"<h1>Forbidden</h1>"),
        (true, true) => answer(202, &[("content-type", "application/json")], br#"{"job_id":"1"}"#),
        (true, false) => {
            let problem = br#"{"type":"about:blank","title":"Not found","status":404}"#;
            answer(404, &[("content-type", "application/problem+json")], problem)
        }
    });
    let place = place(&fake.base_url);
    let ended = run(&place, &["--only", "auth.wrong-key.*", "--skip", "*.challenge"]);
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    // Raw bytes have the headers, too. Their responses do not matter here.
    run(&place, &["--only", "http.raw.keep-alive"]);
    let seen = fake.seen.lock().unwrap();
    assert!(seen.iter().any(|seen| seen.path == "/api/v1/nothing"), "raw bytes arrived");
    let without = seen.iter().find(|seen| !is_let_in(seen));
    assert!(without.is_none(), "{without:?}");
}

#[test]
fn a_value_shows_nowhere_although_the_target_repeats_it_and_curl_takes_it_from_the_environment() {
    let body = format!("{{\"items\":[],\"you_sent\":[\"{SECRET}\",\"{STAGE}\"]}}");
    let fake = Fake::start(move |_| answer(200, &[("content-type", "application/json")], body.as_bytes()));
    let place = place(&fake.base_url);
    let ended = run(&place, &["--only", "auth.missing.refused", "--har", "all"]);
    assert_eq!(ended.code, 1, "{}{}", ended.output, ended.errors);
    let id = "auth.missing.refused";
    let har = place.read(&format!("r/har/{id}.har"));
    let saved = place.read(&format!("r/failures/{id}.json"));
    let reports =
        ["report.json", "report.html", "junit.xml", "summary.md"].map(|name| place.read(&format!("r/{name}")));
    for text in reports.iter().chain([&har, &saved, &ended.output, &ended.errors]) {
        for secret in [SECRET, STAGE, KEY] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    }
    let exchange = &place.json("r/report.json")["requirements"][0]["failure"]["exchanges"][0];
    let headers = exchange["request_headers"].to_string();
    assert!(headers.contains(r#"["CF-Access-Client-Secret","[masked: MY_WAY_IN]"]"#), "{headers}");
    assert!(headers.contains(r#"["X-Stage","[masked]"]"#), "{headers}");
    let curl = exchange["curl"].as_str().unwrap();
    assert!(curl.contains(r#"-H 'CF-Access-Client-Secret: '"$MY_WAY_IN""#), "{curl}");
}

#[test]
fn headers_and_certificates_that_cannot_be_used_are_one_sentence() {
    for (setting, told) in [
        ("headers = { Authorization = \"$MY_WAY_IN\" }", "`Authorization`: the suite sets this header itself"),
        ("headers = { X-Way-In = \"$NOBODY_SET_IT\" }", "set the environment variable NOBODY_SET_IT"),
        ("headers = { X-Way-In = \"$\" }", "the name of an environment variable"),
        ("client_certificate = \"missing.pem\"", "target.client_certificate: "),
    ] {
        let place = Workplace::new();
        place.write("conformance.toml", &format!("[target]\nbase_url = \"https://127.0.0.1:1\"\n{setting}\n"));
        let ended = run(&place, &[]);
        assert_eq!(ended.code, 2, "{}", ended.errors);
        assert!(ended.errors.contains(told) && ended.errors.lines().count() == 1, "{}", ended.errors);
    }
}
