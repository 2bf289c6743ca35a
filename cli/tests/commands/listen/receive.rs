//! `listen`: verification, output and responses.

use contentgen_sdk::test_util::{HookSigner, SignedHook, sample};
use serde_json::{Value, json};

use crate::program::{contentgen, run};
use crate::server::http;
use crate::signal::Started;

/// Starts a listener on a free port and returns it with its address.
pub(crate) fn listener(secret: &str, words: &[&str]) -> (Started, String) {
    let mut command = contentgen(&[&["listen", "--listen", "127.0.0.1:0"], words].concat());
    command.env("CONTENTGEN_HOOK_SECRET", secret);
    let listener = Started::new(command);
    let line = tokio::task::block_in_place(|| listener.error());
    let url = line[line.find("http://").expect("the line shows the address")..].trim_end_matches(['"', '}']).to_owned();
    (listener, url)
}

/// Sends a hook and returns the status of the response.
pub(crate) async fn send(url: &str, hook: &SignedHook) -> u16 {
    let request = http().post(url).headers(hook.headers.clone()).body(hook.body.clone());
    request.send().await.expect("the hook is answered").status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hooks_are_verified_printed_answered_and_counted() {
    let signer = HookSigner::new();
    let (listener, url) = listener(signer.secret(), &["--count", "3"]);
    let published = signer.sign(&sample::article_published("evt_1", &sample::article_summary("art_1")));
    let hooks = format!("{url}/any/path");
    assert_eq!(send(&hooks, &published).await, 204);
    assert_eq!(send(&hooks, &published).await, 204, "a repeated hook is answered and not counted");
    let stranger = HookSigner::with_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    assert_eq!(send(&url, &stranger.sign(&sample::unknown_event("evt_3", "forged"))).await, 400);
    assert_eq!(send(&url, &signer.sign(&sample::lead_captured("evt_2", &sample::lead("lead_1")))).await, 204);
    let updated = sample::article_updated("evt_4", &sample::article_summary("art_1"));
    assert_eq!(send(&url, &signer.sign(&updated)).await, 204);
    let (code, output, error) = tokio::task::block_in_place(|| listener.end());
    assert_eq!(code, Some(0), "{error}");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(
        lines[0].starts_with("evt_1 article.published art_1 ") && lines[0].contains("https://garden.example"),
        "{output}"
    );
    assert_eq!(lines[1], "evt_2 lead.captured lead_1 for art_1");
    assert_eq!(lines[2], lines[0].replace("evt_1 article.published", "evt_4 article.updated"));
    assert!(error.contains("evt_1 received again") && error.contains("refused: no signature"), "{error}");
    assert!(error.ends_with("webhooks: 3, refused: 1\n"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leads_are_anonymous_unless_they_are_asked_for() {
    let signer = HookSigner::new();
    let hooks = [
        signer.sign(&sample::lead_captured("evt_1", &sample::lead("lead_1"))),
        signer.sign_bytes("evt_2", r#"{"id":"evt_2","type":"lead.scored","data":{"email":"reader@example.com"}}"#),
        signer.sign_bytes("evt_3", "no JSON: reader@example.com"),
        signer.sign(&sample::lead_confirmed("evt_4", &sample::lead("lead_1"))),
        signer.sign(&sample::scheduled_post_failed("evt_5", &sample::scheduled_post("post_1"))),
    ];
    for (words, is_shown) in
        [(&[][..], false), (&["--json"], false), (&["--show-personal"], true), (&["--json", "--show-personal"], true)]
    {
        let (listener, url) = listener(signer.secret(), &[&["--count", "5"], words].concat());
        for hook in &hooks {
            assert_eq!(send(&url, hook).await, 204);
        }
        let (code, output, error) = tokio::task::block_in_place(|| listener.end());
        assert_eq!((code, output.lines().count()), (Some(0), 5), "{output}{error}");
        assert_eq!(output.matches("reader@example.com").count(), if is_shown { 3 } else { 0 }, "{words:?}: {output}");
        assert!(output.contains("lead.confirmed") && output.contains("scheduled_post.failed"), "{output}");
        assert!(output.contains("post_1"), "{output}");
        assert_eq!(output.contains("Robin"), is_shown, "{words:?}: {output}");
        if words.contains(&"--json") {
            let first: Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
            assert_eq!((&first["type"], &first["data"]["lead"]["id"]), (&json!("lead.captured"), &json!("lead_1")));
            assert!(error.ends_with("{\"ended\":{\"hooks\":5,\"refused\":0}}\n"), "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_ends_it_in_order() {
    let signer = HookSigner::new();
    let (listener, url) = listener(signer.secret(), &[]);
    let hook = signer.sign(&sample::unknown_event("evt_1", "site.\u{1b}[2Jbuilt"));
    assert_eq!(send(&url, &hook).await, 204);
    let (shown, ended) = tokio::task::block_in_place(|| {
        let shown = listener.output();
        listener.interrupt();
        (shown, listener.end())
    });
    assert_eq!(shown, r"evt_1 site.\u{1b}[2Jbuilt (unknown event type; --show-personal shows the whole event)");
    assert_eq!(ended, (Some(0), String::new(), "webhooks: 1, refused: 0\n".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_is_watched_for_as_soon_as_the_address_is_told() {
    let (listener, _url) = listener(HookSigner::new().secret(), &[]);
    let ended = tokio::task::block_in_place(|| {
        listener.interrupt();
        listener.end()
    });
    assert_eq!(ended, (Some(0), String::new(), "webhooks: 0, refused: 0\n".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_that_nobody_reads_is_left_to_be_sent_again() {
    let signer = HookSigner::new();
    let mut command = contentgen(&["listen", "--listen", "127.0.0.1:0", "--json"]);
    command.env("CONTENTGEN_HOOK_SECRET", signer.secret());
    let (mut child, url) = tokio::task::block_in_place(|| {
        use std::io::BufRead as _;
        let mut child =
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut line = String::new();
        std::io::BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        (child, told["listening"]["url"].as_str().unwrap().to_owned())
    });
    assert_eq!(send(&url, &signer.sign(&sample::unknown_event("evt_1", "site.built"))).await, 503);
    assert_eq!(tokio::task::block_in_place(|| child.wait().unwrap()).code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_does_not_begin_without_a_secret_or_a_free_address() {
    let people = run(contentgen(&["listen"])).await.with(2);
    assert!(people.error.contains("CONTENTGEN_HOOK_SECRET") && people.error.contains("hook create"), "{people:?}");
    assert!(!people.error.contains("dashboard"), "{people:?}");
    let mut command = contentgen(&["listen", "--json"]);
    command.env("CONTENTGEN_HOOK_SECRET", "whsec_no*base64");
    let program = run(command).await.with(2);
    assert!(program.json_error()["message"].as_str().unwrap().contains("base64"), "{program:?}");
    assert!(!program.error.contains("whsec_no*"), "{program:?}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = contentgen(&["listen", "--listen", &taken.local_addr().unwrap().to_string()]);
    command.env("CONTENTGEN_HOOK_SECRET", HookSigner::new().secret());
    let busy = run(command).await.with(1);
    assert!(busy.error.contains("--listen"), "{busy:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_says_what_it_waits_for_when_nothing_comes() {
    let signer = HookSigner::new();
    let (people, url) = listener(signer.secret(), &["--count", "2", "--remind-after", "1s"]);
    let (program, _url) = listener(signer.secret(), &["--json", "--remind-after", "1s"]);
    let reminded = tokio::task::block_in_place(|| people.error());
    assert!(
        reminded.contains("no webhook in 1 s") && reminded.contains("2 more") && reminded.contains(&url),
        "{reminded}"
    );
    assert!(reminded.contains("hook create"), "{reminded}");
    assert_eq!(send(&url, &signer.sign(&sample::unknown_event("evt_1", "site.built"))).await, 204);
    let again = tokio::task::block_in_place(|| people.error());
    assert!(again.contains("1 more"), "{again}");
    let reminded: Value = serde_json::from_str(&tokio::task::block_in_place(|| program.error())).unwrap();
    assert_eq!((&reminded["waiting"]["seconds"], &reminded["waiting"]["missing"]), (&json!(1), &Value::Null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_wanted_more_hooks_than_came_is_told_by_the_exit_code() {
    for (is_told_to_end, expected) in [(false, 130), (true, 143)] {
        let (listener, _url) = listener(HookSigner::new().secret(), &["--count", "1"]);
        let (code, _output, error) = tokio::task::block_in_place(|| {
            if is_told_to_end {
                listener.terminate();
            } else {
                listener.interrupt();
            }
            listener.end()
        });
        assert_eq!(code, Some(expected), "{error}");
        assert!(error.starts_with("webhooks: 0, refused: 0\n"), "{error}");
    }
}
