//! Webhooks: endpoints from registration to removal, the log of deliveries, and redelivery.

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::server::{self, Database, Settings};

use super::browser::{Browser, Page};
use super::steps;
use crate::hooks::receiver::{Answer, Receiver, status};

const NEW: &str = "/dashboard/hooks/new";

async fn receiver() -> Receiver {
    let accepted = || Answer::Bytes(status("202 Accepted"));
    Receiver::start(&[("/good", accepted()), ("/mended", accepted()), ("/bad", Answer::Bytes(status("500 Nope")))])
        .await
}

/// Returns the path of a page without its query.
fn path_of(page: &Page) -> String {
    page.address.split('?').next().unwrap().to_owned()
}

/// Registers an endpoint for all events. Returns its path.
async fn register(browser: &Browser, url: &str) -> String {
    let form = browser.get(NEW).await;
    let made = browser.submit(&form, NEW, &[("url", url), ("event", "lead.captured")]).await;
    made.find(r#"href="(/dashboard/hooks/hook_[^"/]+)""#).unwrap_or_else(|| panic!("{}", made.text))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_is_registered_changed_paused_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.db");
    let database = Database::At(format!("sqlite:{}", file.display()));
    let running = server::start(Settings { is_worker: false, database, ..Settings::demo() }).await.unwrap();
    let email = running.accounts()[0].email.to_string();
    let browser = Browser::signed_in(&running, 0).await;
    let empty = browser.get("/dashboard/hooks").await;
    empty.expect("No endpoints yet").expect("webhook-signature").expect("Verifier::new");
    browser.get("/dashboard/hooks/deliveries").await.expect("No endpoints yet");

    let form = browser.get(NEW).await;
    form.expect("article.published").expect("job.failed");
    let own_website = running.accounts()[0].website_id.clone();
    let foreign_website = running.accounts()[1].website_id.clone();
    let long = "x".repeat(201);
    let typed = |url, event, website, description| {
        [("url", url), ("event", event), ("website_id", website), ("description", description)]
    };
    let good = "http://127.0.0.1:9/<in>";
    for (wrong, field, told) in [
        (typed("https://10.1.2.3/in", "lead.captured", "", "d"), "url", "The destination is not allowed"),
        (typed("http://example.com/in", "lead.captured", "", "d"), "url", "must begin with https://"),
        (typed("https://me:pw@example.com/in", "lead.captured", "", "d"), "url", "user name or password"),
        (typed(good, "", "", "d"), "events", "choose at least one"),
        (typed(good, "lead.captured", &foreign_website, "d"), "website_id", "Choose one of your websites"),
        (typed(good, "lead.captured", "", &long), "description", "at most 200 characters"),
    ] {
        let refused = browser.submit(&form, NEW, &wrong).await;
        assert_eq!(refused.status, 422, "{wrong:?}");
        refused.expect(&format!("id=\"{field}-error\"")).expect("Please check what you entered");
        assert!(refused.text.to_lowercase().contains(&told.to_lowercase()), "{told}: {}", refused.text);
        assert_eq!(refused.field("url"), wrong[0].1, "the entered value is lost");
    }

    let made = browser.submit(&form, NEW, &typed(good, "job.failed", &own_website, "Till <1>")).await;
    let secret = made.find(r#"<code id="secret">(whsec_[^<]+)</code>"#).unwrap();
    let path = made.find(r#"href="(/dashboard/hooks/hook_[^"/]+)""#).unwrap();
    made.expect("Verifier::new");
    let page = browser.get(&path).await;
    page.expect("Till &#60;1&#62;").expect("job.failed").expect("Nothing was sent yet").expect_not("whsec_");
    browser.get("/dashboard/hooks?search=TILL").await.expect("not tried yet");
    browser.get("/dashboard/hooks?search=nothing").await.expect("No endpoint matches");

    let settings = browser.get(&format!("{path}/edit")).await;
    assert_eq!((settings.field("url").as_str(), settings.field("description").as_str()), (good, "Till <1>"));
    let wrong = typed("https://192.168.0.1/", "job.failed", "", "");
    assert_eq!(browser.submit(&settings, &format!("{path}/edit"), &wrong).await.status, 422);
    let mut changed = typed("http://127.0.0.1:9/other", "article.published", "", "").to_vec();
    changed.push(("include_content", "on"));
    let saved = browser.submit(&settings, &format!("{path}/edit"), &changed).await;
    saved.expect("The endpoint is saved").expect("/other").expect("sent, too").expect_not("job.failed");

    let secrets = browser.get(&format!("{path}/secret")).await;
    secrets.expect_not("whsec_");
    let revealed = browser.submit(&secrets, &format!("{path}/secret"), &[("action", "reveal")]).await;
    revealed.expect(&secret);
    let rotate = [("action", "rotate"), ("overlap", "168")];
    let rotated = browser.submit(&secrets, &format!("{path}/secret"), &rotate).await;
    rotated.expect("The former one signs too until").expect("whsec_").expect_not(&secret);
    let too_long = [("action", "rotate"), ("overlap", "169")];
    assert_eq!(browser.submit(&secrets, &format!("{path}/secret"), &too_long).await.status, 409);

    let paused = browser.submit(&page, &format!("{path}/status"), &[("status", "paused")]).await;
    paused.expect("The endpoint is paused").expect("Resume").expect_not("/test\"");
    assert_eq!(browser.submit(&page, &format!("{path}/test"), &[]).await.status, 409);
    let resumed = browser.submit(&page, &format!("{path}/status"), &[("status", "active")]).await;
    resumed.expect("The endpoint is active");
    let recovered = browser.submit(&page, &format!("{path}/recover"), &[("hours", "336")]).await;
    recovered.expect("Due now, of what it missed: 0.");
    assert_eq!(browser.submit(&page, &format!("{path}/recover"), &[("hours", "999")]).await.status, 409);
    let asked = browser.get(&format!("{path}/remove")).await;
    asked.expect("This cannot be undone");
    browser.submit(&asked, &format!("{path}/remove"), &[]).await.expect("The endpoint is removed");
    assert_eq!(browser.get(&path).await.status, 404);
    assert!(running.stop().await);

    let trail = rusqlite::Connection::open(file).unwrap();
    let mut entries = trail
        .prepare("SELECT action || ' ' || (subject = ?1) FROM audit_entries WHERE actor = ?2 AND action LIKE 'hook.%' ORDER BY rowid")
        .unwrap();
    let hook_id = path.rsplit('/').next().unwrap();
    let entries = entries.query_map([hook_id, email.as_str()], |row| row.get::<_, String>(0)).unwrap();
    let entries: Vec<_> = entries.map(Result::unwrap).collect();
    let expected = ["created", "changed", "secret_revealed", "secret_rotated", "paused", "resumed", "removed"];
    assert_eq!(entries, expected.map(|action| format!("hook.{action} 1")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_leads_to_its_delivery_which_shows_what_was_sent_and_answered() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let receiver = receiver().await;
    let path = register(&browser, &receiver.url("/good")).await;
    let page = browser.get(&path).await;
    let sent = browser.submit(&page, &format!("{path}/test"), &[]).await;
    sent.expect("The test is on its way");
    let delivery = browser.wait_for(&path_of(&sent), "succeeded</span></header><div").await;
    let received = receiver.wait_for("/good", 1).await.remove(0);
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature", "user-agent", "content-type"] {
        let value = received.headers[name].replace('+', "&#43;");
        let plain = received.headers[name].clone();
        let shown = [format!("{name}: {value}"), format!("{name}: {plain}")];
        assert!(shown.iter().any(|line| delivery.text.contains(line)), "{shown:?} is not on {}", delivery.text);
    }
    let exact = delivery.find(r#"(?s)<code id="exact-bytes">(.*?)</code>"#).unwrap();
    assert_eq!(exact.as_bytes(), received.body);
    delivery.expect("202 Accepted").expect("content-length: 2").expect_not("data-refresh").expect_not("Redeliver all");

    let again = browser.submit(&delivery, &format!("{}/redeliver", path_of(&delivery)), &[]).await;
    again.expect("The delivery is sent again");
    receiver.wait_for("/good", 2).await;
    let log = browser.wait_for("/dashboard/hooks/deliveries?state=succeeded&event=hook.test", "hook.test</a>").await;
    log.expect("202 Accepted").expect_not("No delivery matches");
    for query in
        ["state=failed", "event=job.failed", "from=2090-01-01T00:00", "until=2020-01-01T00:00", "endpoint=hook_x"]
    {
        browser.get(&format!("/dashboard/hooks/deliveries?{query}")).await.expect("No delivery matches");
    }
    for (query, told) in
        [("from=soon", "Write the time like"), ("state=odd", "Unknown state"), ("event=x", "Unknown event")]
    {
        let page = browser.get(&format!("/dashboard/hooks/deliveries?{query}")).await;
        assert_eq!(page.status, 422, "{query}");
        page.expect(told).expect_not("hook.test</a>").expect_not("Redeliver all");
        let page = browser.get(&format!("/dashboard/hooks/deliveries/redeliver?{query}")).await;
        assert_eq!(page.status, 409, "{query}");
        page.expect(told);
    }
    let page = browser.get("/dashboard/hooks/deliveries?page=forged").await;
    assert_eq!(page.status, 404);
    page.expect("start with its first page");
    browser.get("/dashboard/hooks/deliveries?until=2090-01-01T00:00").await.expect("hook.test</a>");
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_delivery_leads_to_sending_all_that_failed_again_in_two_steps() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let receiver = receiver().await;
    let path = register(&browser, &receiver.url("/bad")).await;
    let other = register(&browser, &receiver.url("/good")).await;
    let page = browser.get(&path).await;
    let mut failed = Vec::new();
    for _ in 0..3 {
        failed.push(path_of(&browser.submit(&page, &format!("{path}/test"), &[]).await));
        browser.submit(&page, &format!("{other}/test"), &[]).await;
    }
    for delivery in &failed {
        browser.wait_for(delivery, "500 Internal Server Error").await;
    }
    receiver.wait_for("/good", 3).await;
    let mended = [("url", &*receiver.url("/mended")), ("event", "lead.captured")];
    browser.save(&format!("{path}/edit"), &mended).await.expect("The endpoint is saved");

    let failing = browser.wait_for(&failed[0], "Redeliver all that failed at this endpoint").await;
    let link = failing.find(r#"href="([^"]*)">Redeliver all that failed at this endpoint"#).unwrap();
    let asked = browser.get(&link).await;
    asked.expect("Send 3 deliveries again?").expect("/mended").expect("hook_").expect_not("There may be more");
    let names = ["endpoint", "event", "state", "from", "until"];
    let values = names.map(|name| asked.field(name));
    let fields: Vec<_> = names.into_iter().zip(values.iter().map(String::as_str)).collect();
    let log = browser.submit(&asked, "/dashboard/hooks/deliveries/redeliver", &fields).await;
    log.expect("Due now: 3.");
    receiver.wait_for("/mended", 3).await;
    for delivery in &failed {
        browser.wait_for(delivery, "succeeded</span></header><div").await;
    }
    browser.get(&link).await.expect("Nothing to redeliver");
    assert_eq!(browser.get("/dashboard/hooks/deliveries/redeliver?state=succeeded").await.status, 409);
    assert_eq!(receiver.at("/bad").len(), 3);
    assert_eq!(receiver.at("/good").len(), 3, "what succeeded was sent again");
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_log_has_pages_and_keeps_its_filters() {
    let running = server::start(Settings { is_worker: false, ..Settings::demo() }).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let (hook_id, _) =
        running.create_hook(&account.name, "http://127.0.0.1:9/in", &[EventType::LeadCaptured]).await.unwrap();
    for _ in 0..60 {
        running.app().send_test(&account, &hook_id).await.unwrap();
    }
    let mut path = format!("/dashboard/hooks/deliveries?endpoint={hook_id}&state=pending");
    let mut rows = 0;
    loop {
        let page = browser.get(&path).await;
        rows += page.text.matches("<th scope=\"row\">").count();
        page.expect("60 deliveries are due");
        let Some(next) = page.find(r#"rel="next" href="([^"]*)""#) else { break };
        assert!(next.contains("state=pending") && next.contains(&hook_id));
        path = next;
    }
    assert_eq!(rows, 60);
    assert!(path.contains("page="), "one page holds all");
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_log_refreshes_itself_while_something_is_due_where_somebody_sends_it() {
    let running = server::start(steps::settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let hook_id = steps::register_hook(&running, 0).await;
    steps::capture(&running, 0, &serde_json::json!({ "email": "ada@example.com" })).await;
    let paths = ["/dashboard/hooks/deliveries", &format!("/dashboard/hooks/deliveries?endpoint={hook_id}")];
    for path in paths {
        browser.get(path).await.expect("1 delivery is due or being sent").expect("data-refresh");
    }
    browser.get("/dashboard/hooks/deliveries?from=soon").await.expect_not("data-refresh");
    let page = browser.get(&format!("/dashboard/hooks/{hook_id}")).await;
    browser.submit(&page, &format!("/dashboard/hooks/{hook_id}/status"), &[("status", "paused")]).await;
    for path in paths {
        let log = browser.get(path).await;
        log.expect("lead.captured").expect("when the endpoint is resumed").expect_not("data-refresh");
    }
    browser.get(&format!("/dashboard/hooks/{hook_id}/remove")).await.expect("1 delivery is due now");
    let trail = steps::audit_trail(&running);
    let told = trail.iter().find(|(action, ..)| action == "hook.created").map(|(.., detail)| detail.as_str());
    assert_eq!(told, Some("lead.captured, article.published to http://127.0.0.1:9"));
    assert!(running.stop().await);
}
