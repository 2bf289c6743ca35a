//! A receiver that is built on the SDK, behind each fault of hooks.

use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::any;
use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::{Fault, Kind, all};
use contentgen_faults::hooks::{Call, Deviation};
use contentgen_sdk::types::Lead;
use contentgen_sdk::webhook::{Event, Verifier, VerifyError};
use contentgen_server_stub::server::Running;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::super::{base_url, capture, demonstration, full_client};
use super::spoiled;

/// How long a hook is waited for: some faults send none.
const ARRIVES_WITHIN: Duration = Duration::from_millis(700);

type Verified = Result<Result<Event, String>, VerifyError>;

/// A receiver that tells what the SDK makes of each hook.
async fn receiver() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}/hooks", listener.local_addr().expect("it is bound"));
    (listener, url)
}

fn receive(listener: TcpListener, secret: &str) -> (mpsc::UnboundedReceiver<Verified>, JoinSet<()>) {
    let verifier = Verifier::new([secret]).expect("the server's secret is one");
    let (sender, verified) = mpsc::unbounded_channel();
    let take = move |headers: HeaderMap, body: Bytes| {
        let result = verifier.verify(&headers, &body).map(|hook| hook.event().map_err(|error| error.to_string()));
        let status = if result.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST };
        let _ = sender.send(result);
        async move { status }
    };
    let mut serving = JoinSet::new();
    let router = Router::new().fallback(any(take));
    serving.spawn(async move { drop(axum::serve(listener, router).await) });
    (verified, serving)
}

/// Faults whose hooks must not verify.
fn breaks_signature(fault: Fault) -> bool {
    matches!(fault.kind, Kind::Broken(requirements) if requirements.contains(&"hooks.signature.verifies"))
}

async fn try_hooks(server: &Running, fault: Fault, number: usize) -> Vec<String> {
    let spoiled: FaultyServer = spoiled(server, fault).await;
    let (listener, url) = receiver().await;
    let endpoint = spoiled.relay().open(&url);
    let account = &server.accounts()[0];
    let created = server.create_hook(&account.name, &spoiled.relay().url(&endpoint), &[]).await;
    let (id, secret) = created.expect("the account has room for an endpoint");
    spoiled.relay().learn_secret(endpoint.number, &secret);
    let told = match spoiled.deviation(Call::Register { url: &url }) {
        Some(Deviation::OtherSecret(other)) if Verifier::new([&other]).is_ok() => other,
        _ => secret,
    };
    let (mut verified, _serving) = receive(listener, &told);
    let email = format!("hook-{number}@example.com");
    let form = format!(r#"{{"email":"{email}","name":"Zoë 日本"}}"#);
    capture(server, form).await;
    let mut lines = Vec::new();
    while let Ok(Some(hook)) = tokio::time::timeout(ARRIVES_WITHIN, verified.recv()).await {
        match hook {
            Ok(_) if breaks_signature(fault) => lines.push(format!("{}: the hook verifies", fault.name)),
            Ok(Ok(Event::LeadCaptured(event))) => lines.extend(invented(server, fault, &event.data.lead).await),
            Ok(_) | Err(_) => {}
        }
    }
    server.remove_hook(&id).await.expect("the endpoint is there");
    lines
}

/// A lead that a verified hook tells of is one that the server has.
async fn invented(server: &Running, fault: Fault, lead: &Lead) -> Option<String> {
    let held = full_client(server).get_lead().lead_id(lead.id.as_str()).send().await;
    held.err()
        .map(|error| format!("{}: a lead that the server does not have at {}: {error}", fault.name, base_url(server)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_of_hooks_is_received_without_harm() {
    let server = demonstration().await;
    let mut findings = Vec::new();
    let mut tried = 0;
    for (number, fault) in all().filter(|fault| fault.hooks.is_used()).enumerate() {
        findings.extend(try_hooks(&server, fault, number).await);
        tried += 1;
    }
    assert!(tried > 40, "{tried} faults were tried");
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    server.stop().await;
}
