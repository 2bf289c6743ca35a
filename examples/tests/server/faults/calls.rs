//! The main calls against each fault of the API: generating and waiting, walking a list, reading an article and a lead.

use std::fmt::Debug;
use std::time::Duration;

use contentgen_faults::catalogue::{Fault, Kind, all};
use contentgen_sdk::types::{ArticleSummary, Lead};
use contentgen_sdk::{Client, Error, ErrorKind};
use contentgen_server_stub::server::Running;
use futures::stream::StreamExt as _;
use serde::Serialize;
use serde_json::Value;

use super::super::{capture, demonstration, full_client, request};
use super::{AT_ONCE, impatient, spoiled};

/// How long a wait for an article may take, and when a call counts as one that hangs: each of its parts has limits of seconds.
const WAIT: Duration = Duration::from_secs(6);
const HANGS_AFTER: Duration = Duration::from_mins(1);
/// Most rows that a walk is followed for: with some faults it never ends.
const MAX_ROWS: usize = 30;

/// What the calls met: a line for each thing that must not be.
struct Findings {
    fault: Fault,
    lines: Vec<String>,
}

impl Findings {
    /// An error must be of a kind that tells the caller what happened.
    fn error(&mut self, call: &str, error: &Error) {
        let expected = expected_kinds(self.fault);
        if !expected.contains(&error.kind()) {
            self.lines.push(format!("{}: {call} fails as {:?}: {error}", self.fault.name, error.kind()));
        }
    }

    /// A value must be what the server holds, where the fault is one that a client can notice.
    fn success<T: Serialize + Debug, U: Serialize>(&mut self, call: &str, told: &T, held: &U) {
        let (told, held) = (json(told), json(held));
        if is_noticeable(self.fault) && told != held {
            let difference = difference(&told, &held);
            self.lines.push(format!(
                "{}: {call} succeeds with another value than the server holds: {difference}",
                self.fault.name
            ));
        }
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("records serialize")
}

/// The members that differ.
fn difference(told: &Value, held: &Value) -> String {
    let names = held.as_object().into_iter().flat_map(|members| members.keys());
    let differing = names.filter(|name| told.get(name.as_str()) != held.get(name.as_str()));
    differing.map(|name| format!("{name}: {} / {}", told[name], held[name])).collect::<Vec<_>>().join("; ")
}

/// Faults of transport, bounds and schema: no whole answer, or one that the document does not allow.
fn is_noticeable(fault: Fault) -> bool {
    let breaks_schema = |id: &&str| id.starts_with("answers.") && id.ends_with(".schema");
    match fault.kind {
        Kind::Broken(requirements) => {
            matches!(fault.area(), "transport" | "input" | "json" | "limits" | "http" | "auth" | "problems")
                || requirements.iter().any(breaks_schema)
        }
        Kind::Benign(_) => true,
    }
}

/// The kinds of errors that tell a caller what happened.
fn expected_kinds(fault: Fault) -> &'static [ErrorKind] {
    use ErrorKind::{Api, Connect, Generation, Timeout, Transport, UnexpectedAnswer};
    match fault.area() {
        "transport" => &[Connect, Transport, Timeout, UnexpectedAnswer],
        "auth" | "idempotency" | "input" | "isolation" | "json" | "limits" | "problems" | "validation" => {
            &[Api, Timeout]
        }
        // Variants keep the contract, some of them of the core profile only; jobs may fail.
        "benign" => &[Api, Generation, UnexpectedAnswer],
        _ => &[Api, Generation, Timeout, UnexpectedAnswer],
    }
}

async fn walk<Row>(mut rows: impl AsyncFnMut() -> Option<Result<Row, Error>>) -> Result<Vec<Row>, Error> {
    let mut seen = Vec::new();
    while let Some(row) = rows().await {
        seen.push(row?);
        if seen.len() >= MAX_ROWS {
            break;
        }
    }
    Ok(seen)
}

async fn try_calls(server: &Running, healthy: &Client, fault: Fault) -> Vec<String> {
    let spoiled = spoiled(server, fault).await;
    let client = impatient(spoiled.base_url(), &server.accounts()[0].api_key);
    let mut findings = Findings { fault, lines: Vec::new() };

    let order = request(server, &format!("What {} does", fault.name)).auto_publish(false);
    let article = client.generate_and_wait(order).poll_interval(Duration::from_millis(20)).timeout(WAIT).await;
    match article {
        Ok(article) => {
            if let Some(id) = article.id.as_deref() {
                match healthy.get_article().id(id).send().await {
                    Ok(held) => findings.success("generate_and_wait", &*article, &*held),
                    Err(error) if is_noticeable(fault) => findings.lines.push(format!("{}: {error}", fault.name)),
                    Err(_) => {}
                }
            }
        }
        Err(error) => findings.error("generate_and_wait", &error),
    }

    let mut leads = client.list_leads().limit(2_u32).items();
    match walk(async || leads.next().await).await {
        Ok(rows) => each_lead(&mut findings, healthy, &rows).await,
        Err(error) => findings.error("list_leads", &error),
    }
    let mut articles = client.list_articles().limit(10_u32).items();
    let walked: Result<Vec<ArticleSummary>, Error> = walk(async || articles.next().await).await;
    if let Err(error) = walked {
        findings.error("list_articles", &error);
    }
    let known: Vec<Lead> =
        healthy.list_leads().limit(1_u32).send().await.map(|page| page.items.clone()).unwrap_or_default();
    for held in known {
        match client.get_lead().lead_id(held.id.as_str()).send().await {
            Ok(lead) => findings.success("get_lead", &*lead, &held),
            Err(error) => findings.error("get_lead", &error),
        }
    }
    findings.lines
}

async fn each_lead(findings: &mut Findings, healthy: &Client, rows: &[Lead]) {
    for row in rows.iter().take(3) {
        match healthy.get_lead().lead_id(row.id.as_str()).send().await {
            Ok(held) => findings.success("list_leads", row, &*held),
            Err(error) if is_noticeable(findings.fault) => {
                findings.lines.push(format!("{}: list_leads made a lead up: {error}", findings.fault.name));
            }
            Err(_) => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_of_the_api_ends_in_a_value_or_in_an_error_that_tells_what_happened() {
    let server = demonstration().await;
    let healthy = full_client(&server);
    for lead in [
        r#"{"email":"ada@example.com","message":"Do you teach?","consent":{"given":true}}"#,
        r#"{"email":"bea@example.com","fields":{"size":"two"}}"#,
        r#"{"email":"cyd@example.com"}"#,
    ] {
        capture(&server, lead).await;
    }
    let faults = all().filter(|fault| fault.edge.is_used());
    let tried = faults.map(|fault| {
        let (server, healthy) = (&server, &healthy);
        async move {
            let calls = tokio::time::timeout(HANGS_AFTER, try_calls(server, healthy, fault)).await;
            calls.unwrap_or_else(|_| vec![format!("{}: the calls hang", fault.name)])
        }
    });
    let findings: Vec<Vec<String>> = futures::stream::iter(tried).buffer_unordered(AT_ONCE).collect().await;
    assert!(findings.len() > 400, "{} faults were tried", findings.len());
    let findings: Vec<String> = findings.into_iter().flatten().collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    server.stop().await;
}
