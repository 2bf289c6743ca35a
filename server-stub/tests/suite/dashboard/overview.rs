//! The overview: first steps, problems that need attention, and the numbers of the last days.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::app::Subject;
use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::server::{self, Server};
use serde_json::json;

use super::browser::Browser;
use super::steps::{self, settings};
use crate::moved_clock::MovedClock;

#[tokio::test]
async fn first_steps_are_ticked_off_and_hidden_once_all_are_done() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let page = browser.get("/dashboard").await;
    page.expect("2 of 4 done").expect("Queue an article").expect("href=\"/dashboard/hooks\"");
    page.expect_not("Make a key").expect_not("Add a website</a>");
    steps::register_hook(&running, 0).await;
    browser.get("/dashboard").await.expect("3 of 4 done").expect_not("Register a hook</a>");
    steps::insert_article(&running, 0, 0);
    let page = browser.get("/dashboard").await;
    page.expect_not("First steps</h2>").expect("href=\"/dashboard?steps=show\"");
    browser.get("/dashboard?steps=show").await.expect("4 of 4 done").expect("Hide the first steps");
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_needs_attention_leads_to_where_it_is_mended() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    browser.get("/dashboard").await.expect("has no password").expect("href=\"/dashboard/account\"");
    let failing = steps::register_hook(&running, 0).await;
    let disabled = steps::register_hook(&running, 0).await;
    let queue = json!({ "topic": "Ovens & dough", "website_id": running.accounts()[0].website_id });
    let job = steps::caller(&running, 0).generate(&queue).await;
    assert_eq!(job.status, 202, "{}", job.text());
    let website_id = &running.accounts()[0].website_id;
    let soon = steps::now(&running) + 5 * 86_400_000;
    let database = steps::database(&running);
    let change = |sql: String| assert_eq!(database.execute(&sql, []).unwrap(), 1, "{sql}");
    change(format!("UPDATE websites SET status = 'paused' WHERE id = '{website_id}'"));
    change(format!("UPDATE hook_endpoints SET exhausted = 3, last_failure_at = 1 WHERE id = '{failing}'"));
    change(format!("UPDATE hook_endpoints SET status = 'disabled', disabled_reason = 'gone' WHERE id = '{disabled}'"));
    change(format!(
        "UPDATE api_keys SET expires_at = {soon} WHERE id = (SELECT min(id) FROM api_keys
        WHERE revoked_at IS NULL AND expires_at IS NULL AND account_id = (
        SELECT account_id FROM websites WHERE id = '{website_id}'))"
    ));
    let page = browser.get("/dashboard").await;
    page.expect("Harbour Bakery is paused")
        .expect("One job waits")
        .expect(&format!("/dashboard/websites/{website_id}"));
    page.expect("is failing").expect(&format!("/dashboard/hooks/{failing}"));
    page.expect("is disabled").expect("responded with 410 Gone").expect(&format!("/dashboard/hooks/{disabled}"));
    page.expect("expires soon").expect("href=\"/dashboard/keys\"");
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let attention = running.app().attention(&account).await.unwrap();
    let expiring = attention.iter().find(|one| matches!(one.subject, Subject::ExpiringKey { .. })).unwrap();
    assert!(expiring.since.millis() > steps::now(&running) - 3_600_000, "it needed attention before it was made");

    let post = database.query_row("SELECT id FROM scheduled_posts", [], |row| row.get::<_, String>(0)).unwrap();
    change("UPDATE scheduled_posts SET status = 'ready'".to_owned());
    browser.get("/dashboard").await.expect("Ovens &#38; dough” waits for your approval").expect(&post);
    let error = r#"{"code":"x","message":"It went <wrong>.","retryable":false}"#;
    change(format!("UPDATE scheduled_posts SET status = 'failed', error = '{error}'"));
    let page = browser.get("/dashboard").await;
    page.expect("Ovens &#38; dough” failed").expect("It went &#60;wrong&#62;.").expect_not("waits for your approval");
    let failed = page.text.find("dough” failed").unwrap();
    assert!(failed < page.text.find("is failing").unwrap(), "the newest comes first");
    // Another account sees nothing of this.
    let other = Browser::signed_in(&running, 1).await;
    other.get("/dashboard").await.expect_not("dough").expect_not("is failing").expect_not("expires soon");
    assert!(running.stop().await);
}

#[tokio::test]
async fn numbers_of_the_last_days_are_drawn_and_told_and_kept_for_a_minute() {
    // A clock that stays within one day, and moves by a minute when the test needs it.
    let clock = Arc::new(MovedClock::running());
    let server = Server::builder().settings(settings()).clock(clock.clone() as Arc<dyn Clock>);
    let running = server.start().await.unwrap();
    for days in [0, 0, 7, 29, 30] {
        steps::insert_article(&running, 0, days);
    }
    steps::capture(&running, 0, &json!({ "email": "ada@example.com" })).await;
    let browser = Browser::signed_in(&running, 0).await;
    let page = browser.get("/dashboard").await;
    page.expect("Articles a day: 4 written in 30 days").expect("2 today").expect("Leads a day: 1 captured in 30 days");
    page.expect("Days are those of Europe/London").expect("Day (Europe/London)");
    page.expect("None in the last 30 days.").expect("Counted as of ").expect("<rect class=\"bar ");
    assert_eq!(page.text.matches("<rect").count(), 4, "a bar for each day with anything");
    assert_eq!(page.text.matches("<td class=\"num\">2</td>").count(), 1);
    // Numbers of past days are stored, those of the current day are not.
    let database = steps::database(&running);
    let kept = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(kept("SELECT count(*) FROM daily_statistics"), 25);
    assert_eq!(kept("SELECT sum(articles) FROM daily_statistics"), 2);
    steps::insert_article(&running, 0, 0);
    browser.get("/dashboard").await.expect("Articles a day: 4 written");
    clock.advance(Duration::from_mins(1));
    browser.get("/dashboard").await.expect("Articles a day: 5 written").expect("3 today");
    Browser::signed_in(&running, 1).await.get("/dashboard").await.expect_not("written in 30 days");
    assert!(running.stop().await);
}
