//! `listen` that forwards hooks and first fetches missed events.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use contentgen_sdk::test_util::{HookSigner, MockService, sample};
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::receive::{listener, send};
use crate::program::{at, contentgen, run, with_key};
use crate::server::{article, capture, demonstration, free_address};
use crate::signal::Started;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_gets_each_hook_as_it_was_sent_and_its_answer_counts() {
    let receiver = MockServer::start().await;
    let refusing = Mock::given(path("/in")).respond_with(ResponseTemplate::new(500)).up_to_n_times(1).with_priority(1);
    refusing.mount(&receiver).await;
    Mock::given(path("/in")).respond_with(ResponseTemplate::new(202)).mount(&receiver).await;
    let signer = HookSigner::new();
    let address = format!("{}/in", receiver.uri());
    let (listener, url) = listener(signer.secret(), &["--count", "1", "--forward-to", &address]);
    let hook = signer.sign(&sample::lead_captured("evt_1", &sample::lead("lead_1")));
    assert_eq!(send(&url, &hook).await, 503, "a hook that the receiver refused is retried");
    assert_eq!(send(&url, &hook).await, 204);
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!((code, output.as_str()), (Some(0), "evt_1 lead.captured lead_1 for art_1\n"), "{error}");
    assert!(error.contains("responded 500") && error.contains("evt_1 forwarded: 202"), "{error}");
    for request in receiver.received_requests().await.unwrap() {
        assert!(signer.verifier().verify(&request.headers, &request.body).is_ok(), "{request:?}");
        assert!(!request.headers.contains_key("authorization"), "{request:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_not_there_is_told_and_the_hook_comes_again() {
    let signer = HookSigner::new();
    let address = crate::server::closed_port();
    let (listener, url) = listener(signer.secret(), &["--json", "--forward-to", &address]);
    assert_eq!(send(&url, &signer.sign(&sample::unknown_event("evt_1", "site.built"))).await, 503);
    let (told, (code, output, _error)) = tokio::task::block_in_place(|| {
        let told = listener.error();
        listener.interrupt();
        (told, listener.end())
    });
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["forwarded"]["id"], &told["forwarded"]["status"]), (&json!("evt_1"), &Value::Null));
    assert_eq!((code, output.as_str()), (Some(0), ""));
    for wrong in ["receiver", "ftp://a/", "http://user:pass@a/"] {
        let mut command = contentgen(&["listen", "--listen", "127.0.0.1:0", "--forward-to", wrong]);
        command.env("CONTENTGEN_HOOK_SECRET", signer.secret());
        let refused = run(command).await.with(2);
        assert!(refused.error.contains("--forward-to") && !refused.error.contains("pass@"), "{refused:?}");
    }
}

/// Starts a receiver that answers no webhook before it has two of them.
async fn patient_receiver(tasks: &mut JoinSet<u16>) -> String {
    let both = Arc::new(Barrier::new(2));
    let receive = async move || {
        both.wait().await;
        StatusCode::ACCEPTED
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let url = format!("http://{}/in", listener.local_addr().expect("it is bound"));
    tasks.spawn(async move {
        let router = Router::new().route("/in", post(receive));
        axum::serve(listener, router).await.map_or(0, |()| 0)
    });
    url
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_receiver_holds_up_no_other_webhook() {
    let signer = HookSigner::new();
    let mut tasks = JoinSet::new();
    let address = patient_receiver(&mut tasks).await;
    let (listener, url) = listener(signer.secret(), &["--count", "2", "--forward-to", &address]);
    let hook = |number: u8| signer.sign(&sample::unknown_event(&format!("evt_{number}"), "site.built"));
    let (first, second) = (hook(1), hook(2));
    assert_eq!(tokio::join!(send(&url, &first), send(&url, &second)), (204, 204));
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!((code, output.lines().count()), (Some(0), 2), "{output}{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_that_is_being_forwarded_is_not_confirmed_to_its_second_sender() {
    let signer = HookSigner::new();
    let (address, requests) = crate::server::holding();
    let (listener, url) = listener(signer.secret(), &["--forward-to", &address]);
    let hook = signer.sign(&sample::unknown_event("evt_1", "site.built"));
    let mut first = JoinSet::new();
    first.spawn({
        let (url, hook) = (url.clone(), hook.clone());
        async move { send(&url, &hook).await }
    });
    tokio::task::block_in_place(|| requests.recv().unwrap());
    assert_eq!(send(&url, &hook).await, 503);
    listener.interrupt();
    assert_eq!(first.join_next().await.unwrap().unwrap(), 503, "an interrupt leaves it to be sent again");
    assert_eq!(tokio::task::block_in_place(|| listener.end()).0, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_missed_is_printed_before_what_comes() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    capture(&server, r#"{"email":"ada@example.com"}"#).await;
    let missed_article = article(&server, "Rhubarb").await;
    let address = free_address();
    let words = ["listen", "--listen", &address.to_string(), "--json", "--since", "2h", "--fetch", "--count", "1"];
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/"), &[]).await.unwrap();
    let mut command = at(&server, &words);
    command.env("CONTENTGEN_HOOK_SECRET", &secret);
    let listener = Started::new(command);
    let mut lines: Vec<Value> = tokio::task::block_in_place(|| {
        listener.error();
        (0..2).map(|_| serde_json::from_str(&listener.output()).unwrap()).collect()
    });
    capture(&server, r#"{"email":"bob@example.com"}"#).await;
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!(code, Some(0), "{output}{error}");
    lines.extend(output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    assert!(!format!("{lines:?}").contains("@example.com"), "{lines:?}");
    assert_eq!(lines[0]["missed"]["type"], "lead.captured");
    assert_eq!(lines[1]["missed"]["data"]["article"]["id"], missed_article.as_str());
    assert!(lines.iter().any(|line| line["type"] == "lead.captured"), "{lines:?}");
    assert!(lines.iter().any(|line| line["article"]["id"] == missed_article.as_str()), "{lines:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_confirmation_that_was_missed_is_printed_once() {
    let service = MockService::start().await;
    let mut lead = sample::lead("lead_1");
    lead.captured_at = "2020-01-01T00:00:00Z".parse().unwrap();
    let confirmation = json!({ "status": "confirmed", "confirmed_at": "2022-01-01T00:00:00Z" });
    lead.confirmation = Some(serde_json::from_value(confirmation).unwrap());
    service.set_leads(&[lead.clone()]);
    service.set_articles(&[]);
    let signer = HookSigner::new();
    let address = free_address();
    let words = ["listen", "--listen", &address.to_string(), "--since", "2021-01-01T00:00:00Z", "--count", "2"];
    let mut command = with_key(&service.base_url(), "key_for_tests", &words);
    command.env("CONTENTGEN_HOOK_SECRET", signer.secret());
    let listener = Started::new(command);
    tokio::task::block_in_place(|| listener.error());
    // A hook about what was printed as missed is not printed again.
    let confirmed = signer.sign(&sample::lead_confirmed("evt_1", &lead));
    let captured = signer.sign(&sample::lead_captured("evt_2", &lead));
    let url = format!("http://{address}/");
    for hook in [confirmed, captured] {
        assert_eq!(send(&url, &hook).await, 204);
    }
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    let expected = "missed lead.confirmed lead_1 for art_1\nevt_2 lead.captured lead_1 for art_1\n";
    assert_eq!((code, output.as_str()), (Some(0), expected), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missed_lead_that_cannot_be_read_does_not_hide_the_others() {
    let service = MockServer::start().await;
    let leads = json!({ "items": [{ "id": "lead_1" }, sample::lead("lead_2")] });
    Mock::given(path("/api/v1/leads"))
        .respond_with(ResponseTemplate::new(200).set_body_json(leads))
        .mount(&service)
        .await;
    let none = ResponseTemplate::new(200).set_body_json(json!({ "items": [] }));
    Mock::given(path("/api/v1/articles")).respond_with(none).mount(&service).await;
    let address = free_address().to_string();
    let words = ["listen", "--listen", &address, "--since", "2021-01-01T00:00:00Z", "--count", "1"];
    let mut command = with_key(&service.uri(), "key_for_tests", &words);
    command.env("CONTENTGEN_HOOK_SECRET", HookSigner::new().secret());
    let listener = Started::new(command);
    let (error, output) = tokio::task::block_in_place(|| {
        let errors = [listener.error(), listener.error()].join("\n");
        (errors, listener.output())
    });
    assert!(error.contains("(lead_1)"), "{error}");
    assert!(output.contains("lead_2"), "{output}");
}
