//! Faults can be enabled and disabled while the proxy runs.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::echo::{self, client};

/// A running program, stopped when this value is dropped.
struct Program {
    child: Child,
    base_url: String,
    control: String,
    hooks: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(upstream: &str, more: &[&str]) -> Program {
    let mut child = Command::new(env!("CARGO_BIN_EXE_contentgen-faults"))
        .args(["serve", "--upstream", upstream, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"])
        .args(["--listen-hooks", "127.0.0.1:0", "--hooks-to", "http://127.0.0.1:9/receiver"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(3);
    let urls: Vec<String> = lines
        .map(|line| {
            let line = line.unwrap();
            let at = line.find("http://").unwrap();
            line[at..].split_whitespace().next().unwrap().to_owned()
        })
        .collect();
    let [base_url, control, hooks] = urls.try_into().unwrap();
    Program { child, base_url, control, hooks }
}

async fn status_of_generate(program: &Program) -> u16 {
    let asked = client().post(format!("{}/api/v1/generate", program.base_url)).header("x-status", "202").body("{}");
    asked.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn faults_are_enabled_and_disabled_at_the_control_address() {
    let (upstream, _server) = echo::start().await;
    let program = serve(&upstream, &[]);
    let client = client();
    let fault = format!("{}/faults/contract.generate-is-200", program.control);
    assert_eq!(status_of_generate(&program).await, 202);
    assert_eq!(client.put(&fault).send().await.unwrap().status(), 204);
    assert_eq!(status_of_generate(&program).await, 200);
    let listed = client.get(format!("{}/faults", program.control)).send().await.unwrap().bytes().await.unwrap();
    let listed: Value = serde_json::from_slice(&listed).unwrap();
    assert_eq!(listed["base_url"], program.base_url);
    let rows = listed["faults"].as_array().unwrap();
    let on: Vec<&Value> = rows.iter().filter(|row| row["enabled"] == true).collect();
    assert_eq!((on.len(), &on[0]["name"], &on[0]["spoiled"]), (1, &json!("contract.generate-is-200"), &json!(1)));
    assert_eq!(client.delete(&fault).send().await.unwrap().status(), 204);
    assert_eq!(status_of_generate(&program).await, 202);
    assert_eq!(client.delete(&fault).send().await.unwrap().status(), 404);
    let unknown = client.put(format!("{}/faults/http.no-alow", program.control)).send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    assert!(unknown.text().await.unwrap().contains("http.no-allow"));
}

#[tokio::test]
async fn the_log_names_the_fault_and_nothing_of_what_it_spoiled() {
    let (upstream, _server) = echo::start().await;
    let mut program = serve(&upstream, &["--fault", "contract.generate-is-200"]);
    let asked = client().post(format!("{}/api/v1/generate", program.base_url)).header("x-status", "202");
    asked.bearer_auth("key-of-nobody").body("{\"topic\": \"private\"}").send().await.unwrap();
    let log = BufReader::new(program.child.stderr.take().unwrap());
    let line = log.lines().map(Result::unwrap).find(|line| line.contains("spoiled")).unwrap();
    assert!(line.contains("contract.generate-is-200"), "{line}");
    assert!(!line.contains("key-of-nobody") && !line.contains("private"), "{line}");
}

#[tokio::test]
async fn the_page_shows_every_fault_with_a_box_that_has_a_label() {
    let (upstream, _server) = echo::start().await;
    let program = serve(&upstream, &["--fault", "http.no-allow"]);
    let page = client().get(&program.control).send().await.unwrap().text().await.unwrap();
    for fault in contentgen_faults::catalogue::all() {
        assert!(page.contains(&format!("<label for=\"{}\">", fault.name)), "{}", fault.name);
    }
    assert!(page.contains("id=\"http.no-allow\" checked"));
    assert!(program.hooks.contains("/endpoints/0"));
}

#[tokio::test]
async fn no_page_of_another_site_controls_the_faults() {
    let (upstream, _server) = echo::start().await;
    let program = serve(&upstream, &[]);
    let (origin, token) = program.control.rsplit_once('/').unwrap();
    assert_eq!(token.len(), 32);
    let fault = "faults/contract.generate-is-200";
    for path in [fault.to_owned(), format!("{}/{fault}", "0".repeat(32)), format!("{}/{fault}", &token[..31])] {
        let answer = client().put(format!("{origin}/{path}")).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{path}");
    }
    let put = async |host: &str| {
        let asked = client().put(format!("{}/{fault}", program.control)).header("host", host);
        asked.send().await.unwrap().status().as_u16()
    };
    for host in ["evil.example", "evil.example:8091", "localhost.evil.example", "127.0.0.1.evil.example", "a b"] {
        assert_eq!(put(host).await, 421, "{host}");
    }
    assert_eq!(status_of_generate(&program).await, 202);
    for host in ["localhost:8091", "LOCALHOST", "127.0.0.1", "[::1]:8091", "192.0.2.1"] {
        assert_eq!(put(host).await, 204, "{host}");
    }
}
