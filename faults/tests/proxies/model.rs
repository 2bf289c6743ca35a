//! The language model of `contentgen-faults model`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use contentgen_faults::model::{DIALECTS, Dialect, ModelEndpoint, ModelOptions};
use serde_json::{Value, json};

use super::echo::client;

fn request() -> Value {
    json!({ "model": "m", "messages": [{ "role": "user", "content": "Write an article." }], "max_tokens": 100 })
}

#[tokio::test]
async fn equal_seeds_give_equal_responses_in_every_dialect() {
    for dialect in DIALECTS.into_iter().filter(|dialect| dialect.name != "silent") {
        let mut texts = Vec::new();
        for seed in [1, 1, 2] {
            let options = ModelOptions { seed, pause: Duration::ZERO };
            let endpoint = ModelEndpoint::start(dialect, options).await.unwrap();
            let url = endpoint.proxy_url().unwrap_or_else(|| endpoint.base_url()).replace('?', "/chat/completions?");
            let url = if url.contains("/chat/completions") { url } else { format!("{url}/chat/completions") };
            let sent = client().post(url).header("api-key", "k").header("content-type", "application/json");
            let response = sent.body(request().to_string()).send().await.unwrap();
            texts.push(response.text().await.unwrap());
            assert_eq!(endpoint.requests(), [request()], "{}", dialect.name);
        }
        assert_eq!(texts[0], texts[1], "{}", dialect.name);
        if dialect.name == "control" {
            assert_ne!(texts[0], texts[2], "the seed changes the draft");
        }
        assert!(!texts[0].is_empty(), "{}", dialect.name);
    }
}

#[test]
fn the_program_lists_the_dialects_and_serves_one() {
    let program = || Command::new(env!("CARGO_BIN_EXE_contentgen-faults"));
    let output = program().args(["model", "--list"]).output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(listed.lines().count(), DIALECTS.len());
    for (line, dialect) in listed.lines().zip(DIALECTS) {
        assert!(line.starts_with(dialect.name) && line.ends_with('.'), "{line}");
        assert!(Dialect::find(dialect.name).is_some());
    }
    let output = program().args(["model", "--dialect", "latin"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`latin`") && said.contains("--list"), "{said}");
    assert_eq!(program().arg("model").output().unwrap().status.code(), Some(2));

    let mut child = program()
        .args(["model", "--dialect", "proxy", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap()).lines().take(3).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines[0].starts_with("Model: http://model.invalid/v1"), "{lines:?}");
    assert!(lines[1].starts_with("Proxy: http://127.0.0.1:") && lines[2].contains("--model-proxy"), "{lines:?}");
}
