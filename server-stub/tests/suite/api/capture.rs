//! Lead intake: forms and JSON, bots and duplicates, origins, and reading the leads.

use contentgen_server_stub::server::Settings;
use serde_json::{Value, json};

use super::client::{ApiResponse, Caller, WithJson as _};
use super::world::{World, own};

async fn leads(caller: &Caller) -> Vec<Value> {
    caller.get("/api/v1/leads?limit=100").await.json()["items"].as_array().unwrap().clone()
}

async fn form(world: &World, text: &str, accept: &str) -> ApiResponse {
    let visitor = world.first().with_key(None);
    let request = visitor.request("POST", &format!("/capture/{}", world.website_id())).header("accept", accept);
    visitor.send(request.header("content-type", "application/x-www-form-urlencoded").body(text.to_owned())).await
}

#[tokio::test]
async fn a_lead_is_read_back_as_it_was_captured() {
    let (running, world) = own(Settings::demo()).await;
    let (visitor, owner) = (world.first().with_key(None), world.first());
    let body = json!({
        "email": "Reader@Example.com", "name": "Robin", "phone": " +44 (0)20 7946-0000", "message": "Hello\r\nthere",
        "article_id": "art_unknown", "fields": { "loaves": "6" },
        "source": { "page_url": "https://harbour-bakery.example/x", "form_id": "f1", "utm": { "source": "mail" } },
        "consent": { "given": true, "text": "Yes.", "at": "whenever" }, "unknown": [null],
    });
    let answer = visitor.post_json(&format!("/capture/{}", world.website_id()), &body).await;
    assert_eq!((answer.status, answer.text().contains("lead_")), (202, false));
    let lead = leads(&owner).await.remove(0);
    assert_eq!((&lead["email"], &lead["phone"]), (&json!("Reader@Example.com"), &json!("+442079460000")));
    assert_eq!(lead["phone_typed"], body["phone"]);
    assert_eq!((&lead["fields"], &lead["source"]["utm"]), (&body["fields"], &body["source"]["utm"]));
    assert_eq!((&lead["consent"]["given"], &lead["consent"]["at"]), (&json!(true), &lead["captured_at"]));
    assert_eq!(lead["article_id"], Value::Null);
    let one = owner.get(&format!("/api/v1/leads/{}", lead["id"].as_str().unwrap())).await;
    assert_eq!((one.json(), one.header("cache-control")), (lead.clone(), "no-store"));
    assert_eq!(
        world.second().get(&format!("/api/v1/leads/{}", lead["id"].as_str().unwrap())).await.problem().1,
        "lead_not_found"
    );
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_form_without_javascript_is_thanked_with_a_page() {
    let (running, world) = own(Settings::demo()).await;
    let text = "email=a%40example.com&name=&utm_source=mail&size=6&form_id=f&consent=on&consent_text=Yes&_hp=";
    let answer = form(&world, text, "text/html,*/*").await;
    assert_eq!(answer.status, 202);
    assert!(answer.text().contains("Thank you"));
    let lead = leads(&world.first()).await.remove(0);
    assert_eq!((&lead["name"], &lead["fields"]), (&Value::Null, &json!({ "size": "6" })));
    assert_eq!(lead["source"]["utm"], json!({ "source": "mail" }));
    let refused = form(&world, "name=Nobody", "text/html").await;
    assert_eq!((refused.status, refused.text().contains("was not sent")), (422, true));
    assert!(running.stop().await);
}

#[tokio::test]
async fn repeats_leave_no_second_lead() {
    let (running, world) = own(Settings::demo()).await;
    for text in ["email=a%40example.com", "email=A%40Example.com&message=again"] {
        assert_eq!(form(&world, text, "*/*").await.status, 202);
    }
    assert_eq!(leads(&world.first()).await.len(), 1);
    for text in ["email=a%40example.com&form_id=other", "phone=%2B442079460000", "phone=%2B442079460000"] {
        assert_eq!(form(&world, text, "*/*").await.status, 202);
    }
    assert_eq!(leads(&world.first()).await.len(), 4);
    assert!(running.stop().await);
}

#[tokio::test]
async fn robots_are_answered_like_people_and_their_leads_are_marked() {
    let (running, world) = own(Settings::demo()).await;
    let marks = [
        // The bot comes first, with the e-mail address of a person.
        ("email=a%40example.com&_hp=x", json!({ "suspected": true, "score": 100, "reasons": ["trap_filled"] })),
        ("email=a%40example.com&_elapsed=2000", json!({ "suspected": false, "score": 0, "reasons": [] })),
        (
            "email=b%40example.com&_elapsed=1999",
            json!({ "suspected": false, "score": 40, "reasons": ["sent_too_fast"] }),
        ),
        (
            "email=c%40example.com&_elapsed=1&message=See+https%3A%2F%2Fcheap.example",
            json!({ "suspected": true, "score": 60, "reasons": ["sent_too_fast", "many_links"] }),
        ),
        (
            "email=d%40example.com&company=www.cheap.example",
            json!({ "suspected": true, "score": 60, "reasons": ["link_as_name"] }),
        ),
    ];
    for (text, _) in &marks {
        assert_eq!(form(&world, text, "*/*").await.status, 202);
    }
    let found: Vec<Value> = leads(&world.first()).await.iter().rev().map(|lead| lead["spam"].clone()).collect();
    assert_eq!(found, marks.map(|(_, mark)| mark));
    let lead = &leads(&world.first()).await[0];
    assert_eq!(lead["fields"], json!({}));
    let refused = form(&world, "email=a%40example.com&_elapsed=soon", "*/*").await;
    assert_eq!(refused.field_errors(), [("invalid_format".to_owned(), "#/_elapsed".to_owned())]);
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_no_lead_is_refused() {
    let world = World::shared();
    let visitor = world.first().with_key(None);
    let path = format!("/capture/{}", world.website_id());
    let errors = |answer: ApiResponse| (answer.status, answer.field_errors());
    let error = |code: &str, place: &str| vec![(code.to_owned(), place.to_owned())];
    assert_eq!(errors(visitor.post_json(&path, &json!({})).await), (422, error("required", "#/email")));
    let both = [("required", "#/consent/given"), ("required", "#/email")].map(|(code, place)| error(code, place));
    assert_eq!(errors(visitor.post_json(&path, &json!({ "consent": {} })).await), (422, both.concat()));
    let many: Value =
        (0..33).map(|number| (format!("f{number}"), json!("x"))).collect::<serde_json::Map<_, _>>().into();
    let answer = visitor.post_json(&path, &json!({ "email": "a@example.com", "fields": many })).await;
    assert_eq!(errors(answer), (422, error("too_many", "#/fields")));
    let answer = visitor.post_json(&path, &json!({ "email": "a@example.com", "message": "x".repeat(5001) })).await;
    assert_eq!(errors(answer), (422, error("too_long", "#/message")));
    assert_eq!(visitor.post_text(&path, "[").await.status, 400);
    assert_eq!(visitor.post_text(&path, &"x".repeat(16 * 1024 + 1)).await.status, 413);
    assert_eq!(visitor.send(visitor.request("POST", &path).body("x")).await.status, 415);
    assert_eq!(visitor.post_json("/capture/web_nothing", &json!({ "email": "a@example.com" })).await.status, 404);
    assert_eq!(visitor.get(&path).await.header("allow"), "POST, OPTIONS");
}

#[tokio::test]
async fn only_the_websites_own_pages_may_read_the_response() {
    let world = World::shared();
    let visitor = world.first().with_key(None);
    let path = format!("/capture/{}", world.website_id());
    for (origin, is_allowed) in [
        ("https://harbour-bakery.example", true),
        ("https://www.harbour-bakery.example", true),
        ("https://shop.harbour-bakery.example", false),
        (world.base_url.as_str(), true),
        ("https://trail-workshop.example", false),
        ("http://harbour-bakery.example", false),
        ("null", false),
    ] {
        let expected = if is_allowed { origin } else { "" };
        let preflight =
            visitor.request("OPTIONS", &path).header("origin", origin).header("access-control-request-method", "POST");
        let preflight = visitor.send(preflight).await;
        assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (204, expected), "{origin}");
        let request = visitor.request("POST", &path).header("origin", origin).with_json(&json!({}));
        assert_eq!(visitor.send(request).await.header("access-control-allow-origin"), expected, "{origin}");
    }
}

#[tokio::test]
async fn one_address_sends_ten_forms_a_minute() {
    let settings = Settings { capture_quota: contentgen_server_stub::http::Quotas::CAPTURE, ..Settings::demo() };
    let (running, world) = own(settings).await;
    for number in 0..10 {
        assert_eq!(form(&world, &format!("email=a{number}%40example.com"), "*/*").await.status, 202);
    }
    let refused = form(&world, "email=a%40example.com", "*/*").await;
    assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    // The HTML page also says when to retry.
    let page = form(&world, "email=a%40example.com", "text/html,*/*").await;
    assert_eq!((page.status, page.header("content-type")), (429, "text/html; charset=utf-8"));
    assert!((1..=60).contains(&page.header("retry-after").parse::<u32>().unwrap()));
    assert!(running.stop().await);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_its_own_quota() {
    for is_trusted in [false, true] {
        let trusted_proxies = if is_trusted { vec!["127.0.0.1/32".parse().unwrap()] } else { Vec::new() };
        let capture_quota = contentgen_server_stub::http::Quotas::CAPTURE;
        let (running, world) = own(Settings { capture_quota, trusted_proxies, ..Settings::demo() }).await;
        let visitor = world.first().with_key(None);
        let path = format!("/capture/{}", world.accounts[0].website_id);
        for number in 0..12 {
            let request = visitor.request("POST", &path).header("x-forwarded-for", format!("192.0.2.{number}"));
            let answer = visitor.send(request.with_json(&json!({ "email": "ada@example.com" }))).await;
            assert_eq!(answer.status, if is_trusted || number < 10 { 202 } else { 429 }, "{is_trusted} {number}");
        }
        assert!(running.stop().await);
    }
}

/// Returns a multipart form with these header blocks and contents.
fn multipart(parts: &[(&str, &str)]) -> String {
    let parts = parts
        .iter()
        .map(|(head, content)| format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n"));
    format!("{}--b--\r\n", parts.collect::<String>())
}

async fn send_multipart(world: &World, content_type: &str, body: String) -> ApiResponse {
    let visitor = world.first().with_key(None);
    let request = visitor.request("POST", &format!("/capture/{}", world.website_id()));
    visitor.send(request.header("content-type", content_type).body(body)).await
}

const MULTIPART: &str = "multipart/form-data; boundary=b";

#[tokio::test]
async fn a_form_in_parts_is_the_same_as_another_form() {
    let (running, world) = own(Settings::demo()).await;
    let parts = [
        ("name=\"size\"", "6"),
        ("name=\"email\"", "zo\u{eb}@example.com"),
        ("name=\"phone\"", ""),
        ("name=\"message\"", "one\r\n--two"),
        ("name=\"consent\"", "yes"),
        ("name=\"size\"", "4"),
        ("name=\"utm_source\"", "mail"),
        ("name=\"photo\"; filename=\"\"\r\nContent-Type: application/octet-stream", ""),
    ];
    for content_type in [MULTIPART, "Multipart/Form-Data; charset=utf-8; boundary=\"b\""] {
        assert_eq!(send_multipart(&world, content_type, multipart(&parts)).await.status, 202);
    }
    let [lead] = &leads(&world.first()).await[..] else { panic!("one lead") };
    assert_eq!((&lead["email"], &lead["phone"]), (&json!("zo\u{eb}@example.com"), &Value::Null));
    assert_eq!((&lead["message"], &lead["fields"]), (&json!("one\r\n--two"), &json!({ "size": "6, 4" })));
    assert_eq!((&lead["consent"]["given"], &lead["source"]["utm"]), (&json!(true), &json!({ "source": "mail" })));
    assert!(running.stop().await);
}

#[tokio::test]
async fn files_too_many_parts_and_forms_that_cannot_be_read_are_refused() {
    let world = World::shared();
    let error = |code: &str, place: &str| vec![(code.to_owned(), place.to_owned())];
    let person = ("name=\"email\"", "a@example.com");
    let file = ("name=\"my photo\"; filename=\"a.png\"", "x");
    let refused = send_multipart(world, MULTIPART, multipart(&[person, file])).await;
    assert_eq!((refused.status, refused.field_errors()), (422, error("invalid_format", "#/my%20photo")));
    let many: Vec<_> = std::iter::repeat_n(("name=\"a\"", ""), 100).chain([person]).collect();
    let refused = send_multipart(world, MULTIPART, multipart(&many)).await;
    let mut errors = error("required", "#/email");
    errors.extend(error("too_many", "#"));
    assert_eq!((refused.status, refused.field_errors()), (422, errors));
    assert_eq!(send_multipart(world, MULTIPART, multipart(&many[1..])).await.status, 202);
    let whole = multipart(&[person]);
    let nameless = multipart(&[("filename=\"a\"", "x")]);
    let broken = [("multipart/form-data", whole.clone()), (MULTIPART, whole[..30].to_owned()), (MULTIPART, nameless)];
    for (content_type, body) in broken {
        let refused = send_multipart(world, content_type, body.clone()).await;
        assert_eq!(refused.problem(), (400, "invalid_header".to_owned()), "{content_type} {body}");
    }
    assert_eq!(send_multipart(world, MULTIPART, "x".repeat(16 * 1024 + 1)).await.status, 413);
    assert_eq!(send_multipart(world, "multipart/mixed; boundary=b", whole).await.status, 415);
}

#[tokio::test]
async fn an_email_address_has_one_at_between_two_texts_and_no_white_space() {
    let world = World::shared();
    let visitor = world.first().with_key(None);
    let path = format!("/capture/{}", world.website_id());
    for email in ["a", "a@", "@b", "a@@b", "a@b@c", "a b@c", " a@b", "a@b\n", "a@b\u{a0}", "a@\u{3000}b", "a\u{85}@b"] {
        let refused = visitor.post_json(&path, &json!({ "email": email })).await;
        assert!(refused.field_errors().contains(&("invalid_format".to_owned(), "#/email".to_owned())), "{email:?}");
    }
    for email in ["a@b", "\u{e9}!\"@[127.0.0.1]"] {
        assert_eq!(visitor.post_json(&path, &json!({ "email": email })).await.status, 202, "{email:?}");
    }
    for empty in [json!({ "email": "", "phone": "+44 20 7946 0000" }), json!({ "email": "a@b", "phone": "" })] {
        assert_eq!(visitor.post_json(&path, &empty).await.status, 422, "{empty}");
    }
}

#[tokio::test]
async fn the_checks_come_in_their_order_and_browsers_are_answered_pages() {
    let world = World::shared();
    let visitor = world.first().with_key(None);
    let own = format!("/capture/{}", world.website_id());
    let paused = format!("/capture/{}", world.accounts[0].inactive_website_id);
    let long = "[".repeat(16 * 1024 + 1);
    for (path, media_type, body, expected) in [
        ("/capture/web_nothing", "text/plain", long.as_str(), (404, "route_not_found")),
        (paused.as_str(), "text/plain", &long, (403, "website_inactive")),
        (&own, "text/plain", &long, (415, "unsupported_media_type")),
        (&own, "application/json", &long, (413, "payload_too_large")),
        (&own, "application/json", "[{}", (400, "invalid_json")),
        (&own, "application/json", "{}", (422, "validation_failed")),
    ] {
        let request = || visitor.request("POST", path).header("content-type", media_type).body(body.to_owned());
        assert_eq!(visitor.send(request()).await.problem(), (expected.0, expected.1.to_owned()));
        let page = visitor.send(request().header("accept", "Text/HTML")).await;
        assert_eq!((page.status, page.header("content-type")), (expected.0, "text/html; charset=utf-8"), "{path}");
    }
    let page = visitor.send(visitor.request("PUT", &own).header("accept", "text/html")).await;
    assert_eq!((page.status, page.header("allow")), (405, "POST, OPTIONS"));
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
}
