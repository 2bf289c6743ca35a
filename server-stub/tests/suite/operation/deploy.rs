//! The deployment files in `docs/deploy` and the image's health check, compared with the program.

use std::collections::BTreeMap;
use std::process::Command;

use contentgen_server_stub::cli;
use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use super::guide::commands;
use super::raw_connection::{get, status};
use crate::command_line::program::{PROGRAM, Server};

const COMPOSE: &str = include_str!("../../../../docs/deploy/compose.yaml");
const UNIT: &str = include_str!("../../../../docs/deploy/contentgen.service");
const ALERTS: &str = include_str!("../../../../docs/deploy/prometheus-alerts.yaml");
const DASHBOARD: &str = include_str!("../../../../docs/deploy/grafana-dashboard.json");
const GUIDE: &str = include_str!("../../../../docs/deploy.md");
const DOCKERFILE: &str = include_str!("../../../../Dockerfile");

/// Returns the values of the keys `name` anywhere below `node`.
fn values<'a>(node: &'a Value, name: &str) -> Vec<&'a Value> {
    match node {
        Value::Object(fields) => {
            let below = fields.iter().map(|(key, value)| if key == name { vec![value] } else { values(value, name) });
            below.flatten().collect()
        }
        Value::Array(items) => items.iter().flat_map(|item| values(item, name)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the queries of the alert rules and of the dashboard.
fn queries() -> Vec<String> {
    let alerts: Value = serde_saphyr::from_str(ALERTS).unwrap();
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let all = values(&alerts, "expr").into_iter().chain(values(&dashboard, "expr"));
    all.map(|query| query.as_str().unwrap().to_owned()).collect()
}

/// Checks that every metric in the deployment files, with its labels, is among these samples of the server.
pub(super) fn check_metrics(samples: &BTreeMap<String, f64>) {
    let metric = Regex::new(r"(contentgen_\w+)(?:\{([^}]*)\})?").unwrap();
    let label = Regex::new(r#"(\w+)=~?""#).unwrap();
    let mut seen = 0;
    for query in queries() {
        for used in metric.captures_iter(&query) {
            let mut of_metric = samples.keys().filter(|sample| sample.split('{').next() == Some(&used[1]));
            let labels = used.get(2).map_or("", |labels| labels.as_str());
            let labels: Vec<_> = label.captures_iter(labels).map(|label| format!("{}=\"", &label[1])).collect();
            let is_there = of_metric.any(|sample| labels.iter().all(|label| sample.contains(label)));
            assert!(is_there, "the server shows no {} of {query}", &used[0]);
            seen += 1;
        }
        assert!(query.contains("contentgen_") || query.contains("up{job=\"contentgen\"}"), "{query}");
    }
    assert!(seen > 30, "{seen}");
}

/// Checks that `serve` takes these variables with these values.
fn check_variables(file: &str, variables: &BTreeMap<String, String>) {
    let serve = &commands(&cli::command(), "")["serve"];
    let mut words = vec!["contentgen-server".to_owned(), "serve".to_owned()];
    for (name, value) in variables {
        let program = cli::command();
        let mut options = serve.get_arguments().chain(program.get_arguments());
        let option = options.find(|option| option.get_env().is_some_and(|env| env == name.as_str()));
        let option = option.unwrap_or_else(|| panic!("{file}: the server does not know {name}"));
        words.push(format!("--{}={value}", option.get_long().unwrap()));
    }
    if let Err(error) = cli::command().try_get_matches_from(words) {
        panic!("{file}: {error}");
    }
}

#[test]
fn the_server_knows_every_option_of_the_deployment_files() {
    let compose: Value = serde_saphyr::from_str(COMPOSE).unwrap();
    let secret = Regex::new(r"\$\{(\w+):\?[^}]*\}").unwrap();
    let examples = [
        ("POSTGRES_PASSWORD", "word"),
        ("CONTENTGEN_SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("CONTENTGEN_PUBLIC_URL", "https://app.example.com"),
        ("CONTENTGEN_SITE_URL", "https://pages.example.com"),
    ];
    for (name, _) in examples {
        assert!(GUIDE.contains(&format!("\n{name}=")), "the guide sets {name}");
    }
    let example = |found: &regex::Captures<'_>| {
        let known = examples.iter().find(|(name, _)| *name == &found[1]);
        known.unwrap_or_else(|| panic!("{} has no example", &found[1])).1.to_owned()
    };
    let services = compose["services"].as_object().unwrap();
    let mut roles = Vec::new();
    for (name, service) in services.iter().filter(|(name, _)| *name != "database") {
        assert_eq!(service["image"], "contentgen-server");
        assert_eq!(service["build"]["target"], "server", "a stage of the Dockerfile");
        let environment = service["environment"].as_object().unwrap();
        let set = |(name, value): (&String, &Value)| {
            (name.clone(), secret.replace_all(value.as_str().unwrap(), example).into_owned())
        };
        let variables: BTreeMap<_, _> = environment.iter().map(set).collect();
        roles.push(variables["CONTENTGEN_ROLES"].clone());
        check_variables(name, &variables);
    }
    assert_eq!(roles, ["api,dashboard", "worker"]);
    assert!(services["database"]["healthcheck"]["test"].is_array());
    // Secrets are not in the file.
    for text in [COMPOSE, UNIT] {
        for line in
            text.lines().filter(|line| ["PASSWORD", "SECRET_KEY", "MODEL_KEY"].iter().any(|word| line.contains(word)))
        {
            assert!(line.trim_start().starts_with('#') || line.contains(":?set it in .env}"), "{line}");
        }
    }

    let lines = |start: &'static str| UNIT.lines().filter_map(move |line| line.strip_prefix(start));
    let variables = lines("Environment=").map(|line| line.split_once('=').unwrap());
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    check_variables("contentgen.service", &variables);
    assert_eq!(lines("ExecStart=").collect::<Vec<_>>(), ["/usr/local/bin/contentgen-server serve"]);
}

#[test]
fn systemd_understands_the_unit() {
    let folder = TempDir::new().unwrap();
    let unit = folder.path().join("contentgen.service");
    // The check needs a program that exists.
    std::fs::write(&unit, UNIT.replace("/usr/local/bin/contentgen-server", PROGRAM)).unwrap();
    let Ok(checked) = Command::new("systemd-analyze").arg("verify").arg(&unit).output() else {
        eprintln!("skipped: there is no systemd-analyze");
        return;
    };
    let told = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && !told.contains("contentgen.service"), "{told}");
}

#[test]
fn every_alert_is_explained() {
    let alerts: Value = serde_saphyr::from_str(ALERTS).unwrap();
    let names = values(&alerts, "alert");
    assert!(names.len() > 10);
    for name in names {
        assert!(GUIDE.contains(&format!("`{}`", name.as_str().unwrap())), "docs/deploy.md lacks {name}");
    }
}

/// Runs the image's health check in the environment of a container whose server listens on this address.
fn is_healthy(listen: &str) -> bool {
    let (_, check) = DOCKERFILE.split_once("HEALTHCHECK ").unwrap();
    let (_, command) = check.split_once("CMD ").unwrap();
    let command: Vec<String> = serde_json::from_str(command.lines().next().unwrap()).unwrap();
    let checked = Command::new(&command[0]).args(&command[1..]).env("CONTENTGEN_LISTEN", listen).output().unwrap();
    checked.status.success()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_images_health_check_works_for_every_role_and_a_worker_shows_nothing_else() {
    let public = ["--public-url", "https://app.example.com", "--site-url", "https://pages.example.com"];
    for roles in ["api,worker,dashboard", "api", "dashboard", "worker"] {
        let folder = TempDir::new().unwrap();
        let server = Server::start(folder.path(), &[&["--roles", roles], &public[..]].concat());
        let base_url = server.ready["base_url"].as_str().unwrap().to_owned();
        let listen = base_url.strip_prefix("http://").unwrap();
        assert!(is_healthy(listen), "{roles}");
        for path in ["/api/v1/websites", "/sites/web_x", "/capture/web_x", "/dashboard", "/assets/site.css"] {
            let answer = get(&base_url, path).await;
            assert!(roles != "worker" || [308, 404].contains(&status(&answer)), "{roles} {path}: {answer}");
        }
        assert_eq!(server.stop("-TERM"), Some(0));
        assert!(!is_healthy(listen), "{roles}");
    }
    // The image always sets the variable. Without it and without the option, a worker listens on no port.
    let folder = TempDir::new().unwrap();
    let worker =
        ["serve", "--roles", "worker", "--public-url", "https://app.example.com", "--ready-file", "ready.json"];
    let mut process = Command::new(PROGRAM).args(worker).current_dir(folder.path()).spawn().unwrap();
    let ready = crate::waiting::until_ok_blocking("the ready file is there", || {
        std::fs::read(folder.path().join("ready.json"))
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&ready).unwrap()["base_url"], Value::Null);
}
