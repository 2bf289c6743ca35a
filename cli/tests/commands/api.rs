//! `api`: requests to any path.

use serde_json::json;
use wiremock::matchers::{body_json, header, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::program::{at, run, with_key};
use super::server::{capture, demonstration};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_path_of_the_server_is_asked_with_the_key() {
    let server = demonstration().await;
    let website_id = &server.accounts()[0].website_id;
    let page = run(at(&server, &["api", "/api/v1/websites?limit=1"])).await.well();
    assert_eq!(page.json()["items"].as_array().map(Vec::len), Some(1), "{page:?}");
    let bare = run(at(&server, &["api", "-X", "get", "api/v1/websites", "--query", "limit=1"])).await.well();
    assert_eq!(bare.json()["items"], page.json()["items"]);
    let folder = tempfile::tempdir().unwrap();
    let body = folder.path().join("body.json");
    std::fs::write(&body, json!({ "topic": "Leeks", "website_id": website_id }).to_string()).unwrap();
    let words = ["api", "/api/v1/generate", "--input", body.to_str().unwrap()];
    let queued = run(at(&server, &words)).await.well();
    assert!(queued.json()["job_id"].as_str().is_some_and(|id| id.starts_with("job_")), "{queued:?}");
    assert!(queued.error.starts_with("idempotency key: "), "{queued:?}");
    let text = run(at(&server, &["api", "/openapi.yaml"])).await.well();
    assert!(text.output.starts_with("openapi: 3."), "{}", text.output.lines().next().unwrap_or_default());
    let refused = run(at(&server, &["api", "/api/v1/jobs/job_nothing"])).await.with(1);
    assert!(refused.error.contains("404 job_not_found") && refused.error.contains("request id: req_"), "{refused:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_pages_of_a_list_are_read_item_by_item() {
    let server = demonstration().await;
    for number in 0..5 {
        capture(&server, &format!(r#"{{"email":"reader{number}@example.com"}}"#)).await;
    }
    let all = run(at(&server, &["api", "/api/v1/leads?limit=2", "--paginate"])).await.well().json_lines();
    assert_eq!(all.len(), 5);
    assert_eq!(all, run(at(&server, &["leads", "--json", "--show-personal"])).await.well().json_lines());
    let no_list = run(at(&server, &["api", "/openapi.json", "--paginate"])).await.with(1);
    assert!(no_list.error.contains("items"), "{no_list:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_leads_in_a_circle_ends() {
    let service = MockServer::start().await;
    let page = |next: &str| ResponseTemplate::new(200).set_body_json(json!({ "items": [next], "next_page": next }));
    for (token, next) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let given = Mock::given(path("/api/v1/circle")).and(query_param("page_token", token));
        given.respond_with(page(next)).mount(&service).await;
    }
    Mock::given(path("/api/v1/circle")).respond_with(page("a")).mount(&service).await;
    let circle = run(with_key(&service.uri(), "key_for_tests", &["api", "/api/v1/circle", "--paginate"])).await.with(1);
    assert!(circle.error.contains("a page that was read before"), "{circle:?}");
    assert!((4..12).contains(&circle.output.lines().count()), "{circle:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pagination_that_breaks_off_shows_how_to_continue() {
    let service = MockServer::start().await;
    let page = ResponseTemplate::new(200).set_body_json(json!({ "items": [1], "next_page": "second" }));
    Mock::given(path("/list")).respond_with(page).up_to_n_times(1).mount(&service).await;
    let words = ["api", "/list", "--paginate"];
    let ended = run(with_key(&service.uri(), "key_for_tests", &words)).await.with(1);
    assert_eq!(ended.output, "1\n");
    assert!(ended.error.contains("`--query page_token=second` continues the list"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_pass_is_sent_again_where_that_is_safe_and_verbose_tells_of_it() {
    let service = MockServer::start().await;
    let flaky = |verb: &'static str| {
        let trouble = ResponseTemplate::new(503).insert_header("retry-after", "0");
        Mock::given(method(verb)).and(path("/api/v1/flaky")).respond_with(trouble).up_to_n_times(1).with_priority(1)
    };
    // A success whose request id is the key.
    let fine = ResponseTemplate::new(200).insert_header("x-request-id", "key_for_tests");
    let fine = fine.set_body_json(json!({ "fine": true }));
    Mock::given(path("/api/v1/flaky"))
        .and(header("authorization", "Bearer key_for_tests"))
        .respond_with(fine)
        .mount(&service)
        .await;
    let call = |words: &[&str]| run(with_key(&service.uri(), "key_for_tests", words));
    flaky("GET").mount(&service).await;
    let read = call(&["api", "/api/v1/flaky", "--verbose"]).await.well();
    assert_eq!(read.json(), json!({ "fine": true }));
    for told in [
        "request: failed attempt=1 status=503",
        "request: the call is retried",
        "request: answered attempt=2 status=200",
    ] {
        assert!(read.error.contains(told), "{told}: {read:?}");
    }
    assert!(!read.error.contains("key_for_tests"), "{read:?}");
    flaky("POST").mount(&service).await;
    let changed = call(&["api", "-X", "POST", "/api/v1/flaky"]).await.with(1);
    assert!(changed.error.contains("503"), "a change is not repeated: {changed:?}");
    flaky("PUT").mount(&service).await;
    let named = call(&["api", "-X", "PUT", "/api/v1/flaky", "--idempotency-key", "row-1", "-v", "--json"]).await.well();
    let lines: Vec<serde_json::Value> = named.error.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["request"]["message"] == "the call is retried"), "{lines:?}");
    run(with_key(&service.uri(), "key_for_tests", &["websites", "-v", "-q"])).await.with(2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_leads_elsewhere_or_is_no_request_is_not_sent() {
    let service = MockServer::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (broken, huge) = (folder.path().join("broken.json"), folder.path().join("huge.json"));
    std::fs::write(&broken, "{").unwrap();
    std::fs::write(&huge, format!("\"{}\"", "x".repeat(65_536))).unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["api", "https://evil.example/api/v1/leads"], "PATH must be a path"),
        (&["api", "//evil.example/"], "one slash"),
        (&["api", "/api/../secret"], "`..`"),
        (&["api", "-X", "FETCH", "/"], "GET"),
        (&["api", "/", "-X", "GET", "-f", "a=b"], "--query"),
        (&["api", "/", "-F", "a=b"], "use -f"),
        (&["api", "/", "-H", "X Y: z"], "invalid header"),
        (&["api", "/", "-H", "Authorization: Bearer other"], "`authorization`"),
        (&["api", "-X", "POST", "/api/v1/leads", "--paginate"], "--paginate"),
        (&["api", "-X", "POST", "/", "--input", broken.to_str().unwrap()], "is not valid JSON"),
        (&["api", "-X", "POST", "/", "--input", huge.to_str().unwrap()], "larger than 65536 bytes"),
    ];
    for (words, told) in cases {
        let refused = run(with_key(&service.uri(), "key_for_tests", words)).await.with(2);
        assert!(refused.error.contains(told), "{told}: {refused:?}");
    }
    assert_eq!(service.received_requests().await.unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parameters_and_bodies_arrive_as_they_were_typed() {
    let service = MockServer::start().await;
    let nothing = Mock::given(method("POST")).and(path("/api/v1/things")).and(query_param("a", "b c&d"));
    let nothing = nothing.and(body_json(json!({ "e": [1] }))).respond_with(ResponseTemplate::new(204));
    nothing.expect(1).mount(&service).await;
    let folder = tempfile::tempdir().unwrap();
    let body = folder.path().join("body.json");
    std::fs::write(&body, r#"{"e":[1]}"#).unwrap();
    let words = ["api", "-X", "POST", "/api/v1/things", "--query", "a=b c&d", "--input", body.to_str().unwrap()];
    let answered = run(with_key(&service.uri(), "key_for_tests", &words)).await.well();
    assert_eq!((answered.output.as_str(), answered.error.as_str()), ("", "the server answered 204 without a body\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_and_headers_make_a_request_and_the_head_of_the_response_is_shown() {
    let service = MockServer::start().await;
    let made = Mock::given(method("POST")).and(path("/api/v1/things")).and(header("x-trace", "a: b"));
    let made = made.and(body_json(json!({ "topic": "Rye", "n": "7", "words": 400, "keywords": ["a"] })));
    let answer = ResponseTemplate::new(201).insert_header("etag", "\"e1\"").set_body_json(json!({ "id": 1, "b": 2 }));
    made.respond_with(answer).mount(&service).await;
    let call = |words: &[&str]| run(with_key(&service.uri(), "key_for_tests", words));
    let words = ["api", "api/v1/things", "-f", "topic=Rye", "-f", "n=7", "-F", "words=400", "-F", "keywords=[\"a\"]"];
    let words = [&words[..], &["-H", "X-Trace: a: b"]].concat();
    assert_eq!(call(&words).await.well().json(), json!({ "id": 1, "b": 2 }));
    assert_eq!(call(&[&words[..], &["--json=id"]].concat()).await.well().json(), json!({ "id": 1 }));
    let included = call(&[&words[..], &["-i"]].concat()).await.well().output;
    let (head, body) = included.split_once("\n\n").unwrap();
    assert!(head.starts_with("HTTP 201 Created\n") && head.contains("\netag: \"e1\""), "{included}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["id"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_body_of_an_error_is_printed() {
    let server = demonstration().await;
    let refused = run(at(&server, &["api", "/api/v1/jobs/job_nothing", "-i"])).await.with(1);
    let (head, body) = refused.output.split_once("\n\n").unwrap();
    assert!(head.starts_with("HTTP 404 Not Found\n") && head.contains("\nx-request-id: req_"), "{refused:?}");
    let problem: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!((&problem["code"], &problem["status"]), (&json!("job_not_found"), &json!(404)));
    assert!(refused.error.starts_with("error: "), "{refused:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("job.json");
    run(at(&server, &["api", "/api/v1/jobs/job_nothing", "--output", file.to_str().unwrap()])).await.with(1);
    assert!(!file.exists(), "an error is not written to the file");
    server.stop().await;
    let service = MockServer::start().await;
    let text = format!("a page\u{1b}[2J of a proxy\n{}", "word ".repeat(200));
    let page = ResponseTemplate::new(404).set_body_string(&text);
    Mock::given(path("/proxied")).respond_with(page).mount(&service).await;
    let proxied = run(with_key(&service.uri(), "key_for_tests", &["api", "/proxied"])).await.with(1);
    assert!(proxied.output.starts_with("a page") && !proxied.output.contains('\u{1b}'), "{proxied:?}");
    assert_eq!(proxied.output.lines().nth(1), Some("word ".repeat(200).trim_end()));
    let problem = json!({ "code": "validation_failed", "errors": [{ "pointer": "#/a" }], "balance": 30 });
    let refusal = ResponseTemplate::new(422).set_body_json(&problem);
    Mock::given(path("/refused")).respond_with(refusal).mount(&service).await;
    let refused = run(with_key(&service.uri(), "key_for_tests", &["api", "/refused"])).await.with(1);
    assert_eq!(refused.json(), problem, "all fields that the server sent, and no others");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_arrive_in_a_file_as_they_were_sent() {
    let service = MockServer::start().await;
    let image = [0x89, b'P', b'N', b'G', 0xff, 0, 27];
    let text = "{\"a\":\n1}\u{1b}";
    for (name, body) in [("/image", &image[..]), ("/text", text.as_bytes())] {
        let answer = ResponseTemplate::new(200).set_body_raw(body, "application/octet-stream");
        Mock::given(path(name)).respond_with(answer).mount(&service).await;
        let folder = tempfile::tempdir().unwrap();
        let (written, redirected) = (folder.path().join("written"), folder.path().join("redirected"));
        let words = ["api", name, "--output", written.to_str().unwrap()];
        run(with_key(&service.uri(), "key_for_tests", &words)).await.well();
        let mut command = with_key(&service.uri(), "key_for_tests", &["api", name]);
        command.stdout(std::fs::File::create(&redirected).unwrap());
        assert!(tokio::task::block_in_place(|| command.status().unwrap()).success());
        assert_eq!(std::fs::read(written).unwrap(), body);
        assert_eq!(std::fs::read(redirected).unwrap(), body);
    }
    let mut piped = with_key(&service.uri(), "key_for_tests", &["api", "/image"]);
    assert_eq!(tokio::task::block_in_place(|| piped.output().unwrap()).stdout, image);
}
