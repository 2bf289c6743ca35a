//! The pipeline: queued, followed, approved, rescheduled, retried and cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contentgen_server_stub::domain::account::{Website, WebsiteStatus};
use contentgen_server_stub::domain::article::Article;
use contentgen_server_stub::domain::publishing_slots::{PublishingSlots, Weekday};
use contentgen_server_stub::domain::store::StoredTarget;
use contentgen_server_stub::domain::time_zone::TimeZone;
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::publishing::{PublishError, Publisher};
use contentgen_server_stub::server::{self, Running, Server, Settings};

use super::browser::{Browser, Page};

fn without_worker() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

/// Queues an article by the form and returns the path of its scheduled post.
pub(super) async fn queue(browser: &Browser, website_id: &str, fields: &[(&str, &str)]) -> String {
    let form = browser.get("/dashboard/pipeline/new").await;
    let mut typed = vec![("website_id", website_id), ("words", "200")];
    typed.extend_from_slice(fields);
    let queued = browser.submit(&form, "/dashboard/pipeline/new", &typed).await;
    assert_eq!(queued.status, 200, "{}", queued.text);
    queued.expect("The article is queued");
    queued.address.split('?').next().unwrap().to_owned()
}

async fn website(running: &Running, name: &str, time_zone: &str) -> Website {
    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    let settings = contentgen_server_stub::app::WebsiteSettings {
        name: name.to_owned(),
        url: "https://other.example".to_owned(),
        time_zone: time_zone.to_owned(),
        auto_publish: false,
        ..Default::default()
    };
    app.create_website(&account, settings, WebsiteStatus::Active).await.unwrap()
}

/// Returns the recorded actions of the audit trail.
fn audit_actions(running: &Running) -> Vec<String> {
    let path = running.database().trim_start_matches("sqlite:").to_owned();
    let database = rusqlite::Connection::open(path).unwrap();
    let mut actions = database.prepare("SELECT action FROM audit_entries").unwrap();
    actions.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn an_article_is_queued_by_the_rules_of_the_api_and_errors_stand_at_their_fields() {
    let running = server::start(without_worker()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    browser.get("/dashboard/pipeline").await.expect("Nothing in the pipeline yet");
    let form = browser.get("/dashboard/pipeline/new").await;
    let account = &running.accounts()[0];
    let good = [
        ("website_id", account.website_id.as_str()),
        ("topic", "Rye <b>& more"),
        ("keywords", "rye bread\n\nsour dough"),
        ("words", "300"),
        ("language", "en"),
        ("when", "approval"),
        ("publish_at", ""),
    ];
    let long = "x".repeat(1001);
    let many = "a\n".repeat(11);
    let far = "2999-01-01T09:00";
    for (field, value, message) in [
        ("topic", "", "the topic must not be empty"),
        ("topic", long.as_str(), "the topic must have at most 1000 characters"),
        ("keywords", many.as_str(), "the list of keywords must have at most 10 items"),
        ("words", "many", "the number of words must be an integer"),
        ("words", "7", "the number of words must be between 200 and 5000"),
        ("language", "???", "the language must be a language tag"),
        ("website_id", account.inactive_website_id.as_str(), "paused or archived"),
        ("website_id", running.accounts()[1].website_id.as_str(), "choose one of your websites"),
        ("publish_at", far, "more than one year ahead"),
        ("publish_at", "2020-01-01T09:00", "in the past"),
        ("publish_at", "soon", "write a date and a time"),
    ] {
        let wrong = good.map(|(name, text)| match name {
            "when" if field == "publish_at" => (name, "at"),
            _ => (name, if name == field { value } else { text }),
        });
        let page = browser.submit(&form, "/dashboard/pipeline/new", &wrong).await;
        assert_eq!(page.status, 422, "{field} {value}");
        assert!(page.text.to_lowercase().contains(message), "`{message}` is missing: {}", page.text);
        page.expect(&format!("id=\"{field}-error\"")).expect(if field == "topic" { "300" } else { "Rye &#60;b&#62;" });
    }
    browser.get("/dashboard/pipeline").await.expect("Nothing in the pipeline yet");

    let path = queue(&browser, &account.website_id, &good[1..]).await;
    let entry = browser.get(&path).await;
    entry.expect("It waits until a writer is free").expect("after approval").expect("rye bread, sour dough");
    entry.expect("data-refresh=\"3\"");
    let board = browser.get("/dashboard/pipeline").await;
    board.expect("Rye &#60;b&#62;&#38; more").expect("data-refresh=\"5\"").expect("Harbour Bakery");
    let elsewhere = format!("/dashboard/pipeline?website_id={}", account.inactive_website_id);
    browser.get(&elsewhere).await.expect_not("Rye").expect("Nothing here");
    assert!(audit_actions(&running).contains(&"article.queued".to_owned()));

    let asked = browser.get(&format!("{path}/cancel")).await;
    asked.expect("This cannot be undone").expect("Keep it");
    browser.submit(&asked, &format!("{path}/cancel"), &[]).await.expect("It is cancelled").expect_not("data-refresh");
    browser.get(&format!("{path}/cancel")).await.expect("This is not possible now");
    browser.submit(&asked, &format!("{path}/cancel"), &[]).await.expect("This is not possible now");
    browser.get("/dashboard/pipeline").await.expect_not("Rye");
    browser.get("/dashboard/pipeline?cancelled=on").await.expect("Rye &#60;b&#62;");
    assert!(audit_actions(&running).contains(&"job.cancelled".to_owned()));
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_full_column_tells_that_there_are_more() {
    let running = server::start(without_worker()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let account = &running.accounts()[0];
    for number in 0..21 {
        queue(&browser, &account.website_id, &[("topic", &format!("Topic {number}.")), ("when", "now")]).await;
    }
    let board = browser.get("/dashboard/pipeline").await;
    board.expect("<span class=\"count\">20+</span>").expect("Topic 20.").expect("Topic 1.").expect_not("Topic 0.");
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_waits_for_approval_is_given_a_time_in_its_websites_zone_and_published() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let vienna = website(&running, "Kaffeehaus", "Europe/Vienna").await;
    let path = queue(&browser, &vienna.website_id, &[("topic", "Melange at home"), ("when", "approval")]).await;
    let ready = browser.wait_for(&path, "Approve and publish now").await;
    ready.expect("Europe/Vienna").expect_not("data-refresh");
    let schedule = format!("{path}/schedule");
    for (typed, message) in [
        ("2020-01-01T09:00", "in the past in Europe/Vienna"),
        ("2999-01-01T09:00", "more than one year ahead"),
        ("", "write a date and a time"),
        ("2027-03-28T02:30", "does not exist in Europe/Vienna"),
    ] {
        let page = browser.submit(&ready, &schedule, &[("when", "at"), ("publish_at", typed)]).await;
        assert_eq!(page.status, 422, "{typed}");
        assert!(page.text.to_lowercase().contains(&message.to_lowercase()), "{message}: {}", page.text);
        page.expect("id=\"publish_at-error\"").expect_not("data-refresh");
        assert_eq!(page.field("publish_at"), typed);
    }
    // The time must be at most a year from now and after the next hour. It is months away, because summer and winter have different
    // offsets.
    let at = running.app().clock().wall().plus(Duration::from_hours(24 * 200));
    let zone = TimeZone::parse("Europe/Vienna").unwrap();
    let typed = zone.to_local(at);
    let scheduled = browser.submit(&ready, &schedule, &[("when", "at"), ("publish_at", &typed)]).await;
    scheduled.expect("It is published at the time you set").expect(&zone.show(zone.from_local(&typed).unwrap()));
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let visibility = Visibility { account_id: account.id, website_ids: None };
    let post_id = path.rsplit('/').next().unwrap();
    let entry = running.app().pipeline_entry(&visibility, post_id).await.unwrap();
    assert_eq!(entry.post.publish_at, zone.from_local(&typed));
    assert_eq!(entry.article.unwrap().status.as_str(), "scheduled");

    let waiting = browser.submit(&scheduled, &format!("{path}/unschedule"), &[]).await;
    waiting.expect("It waits until you approve it").expect("Approve and publish now");
    browser.submit(&waiting, &schedule, &[("when", "now")]).await.expect("It is published in a moment");
    let published = browser.wait_for(&path, "Read it at").await;
    published.expect_not("data-refresh").expect_not("Cancel it");
    browser.submit(&published, &schedule, &[("when", "now")]).await.expect("This is not possible now");
    browser.submit(&published, &format!("{path}/cancel"), &[]).await.expect("This is not possible now");
    let actions = audit_actions(&running);
    for action in ["post.approved", "post.unscheduled", "article.queued"] {
        assert!(actions.iter().any(|found| found == action), "{action} is not in {actions:?}");
    }
    assert!(running.stop().await);
}

/// A publishing target that rejects articles until the test changes it.
#[derive(Debug, Default)]
struct Refusing {
    accepts: AtomicBool,
}

#[async_trait::async_trait]
impl Publisher for Refusing {
    async fn publish(&self, article: &Article, _: &Website, _: &StoredTarget) -> Result<String, PublishError> {
        if self.accepts.load(Ordering::SeqCst) {
            return Ok(format!("https://harbour-bakery.example/{}", article.content.slug));
        }
        Err(PublishError::rejected("it responded with status 422"))
    }
}

#[tokio::test]
async fn what_failed_says_why_and_is_tried_again() {
    let publisher = Arc::new(Refusing::default());
    let server = Server::builder().settings(Settings::demo()).publisher(Arc::clone(&publisher) as _);
    let running = server.start().await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let account = &running.accounts()[0];
    let path = queue(&browser, &account.website_id, &[("topic", "Rye in winter"), ("when", "now")]).await;
    let failed = browser.wait_for(&path, "Publish again").await;
    failed.expect("The destination refused the article").expect("The article is kept");
    browser.get("/dashboard/pipeline").await.expect("The destination refused the article");
    publisher.accepts.store(true, Ordering::SeqCst);
    browser.submit(&failed, &format!("{path}/retry"), &[]).await.expect("It is tried again");
    let published = browser.wait_for(&path, "Read it at").await;
    browser.submit(&published, &format!("{path}/retry"), &[]).await.expect("This is not possible now");

    // The website's profile forbids this topic, so the job fails. The retry is a new job and fails as well.
    let path = queue(&browser, &account.website_id, &[("topic", "synergy"), ("when", "now")]).await;
    let failed = browser.wait_for(&path, "Write again").await;
    let job = |page: &Page| page.find(r#"<dt>Job</dt><dd><span class="mono">(job_[^<]+)<"#).unwrap();
    browser.submit(&failed, &format!("{path}/retry"), &[]).await.expect("It is tried again");
    let again = browser.wait_for(&path, "Write again").await;
    assert_ne!(job(&failed), job(&again));
    let overview = browser.get("/dashboard").await;
    overview.expect(&path);
    browser.submit(&again, &format!("{path}/cancel"), &[]).await.expect("It is cancelled").expect_not("Write again");
    browser.get("/dashboard").await.expect_not(&path);

    // Archiving an article also ends its scheduled post.
    publisher.accepts.store(false, Ordering::SeqCst);
    let path = queue(&browser, &account.website_id, &[("topic", "Rye in spring"), ("when", "now")]).await;
    let failed = browser.wait_for(&path, "Publish again").await;
    let article = failed.find(r#"href="(/dashboard/articles/art_[^"]+)""#).unwrap();
    browser.submit(&failed, &format!("{article}/archive"), &[]).await.expect("The article is archived");
    browser.get(&path).await.expect("It is not published").expect_not("Publish again");
    browser.get("/dashboard").await.expect_not(&path);
    assert!(running.stop().await);
}

/// The form offers the website's publishing slots.
#[tokio::test]
async fn an_article_is_published_in_the_next_free_slot_of_its_website() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let website_id = website(&running, "Slotted", "Pacific/Auckland").await.website_id;
    let waiting = queue(&browser, &website_id, &[("topic", "One that waits"), ("when", "approval")]).await;
    let ready = browser.wait_for(&waiting, "Approve and publish now").await;
    ready.expect_not("Approve for the next free slot");
    let refused = browser.submit(&ready, &format!("{waiting}/schedule"), &[("when", "slot")]).await;
    assert_eq!(refused.status, 422);
    refused.expect("The website no longer has publishing slots");

    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    // Slots so far apart that none begins during the test.
    let zone = TimeZone::parse("Pacific/Auckland").unwrap();
    let yesterday = app.clock().wall().minus(Duration::from_hours(24));
    let day = Weekday::from(chrono::Datelike::weekday(&zone.local(yesterday).date()));
    let slots: PublishingSlots = format!("{} 00:00", day.as_str()).parse().unwrap();
    app.set_publishing_slots(&account, &website_id, &slots).await.unwrap();
    let moments: Vec<_> = slots.after(zone, app.clock().wall()).take(2).map(|slot| zone.show(slot)).collect();
    let at_once = queue(&browser, &website_id, &[("topic", "One for a slot"), ("when", "now")]).await;
    browser.wait_for(&at_once, "It is published when its time comes").await.expect(&moments[0]);
    let page = browser.get(&waiting).await;
    page.expect("Approve for the next free slot").expect("Approve and publish now");
    let approved = browser.submit(&page, &format!("{waiting}/schedule"), &[("when", "slot")]).await;
    approved.expect("It is published when its time comes").expect(&moments[1]).expect("Move to the next free slot");
    assert!(audit_actions(&running).ends_with(&["post.approved".to_owned()]));
    let published = browser.submit(&approved, &format!("{waiting}/schedule"), &[("when", "now")]).await;
    assert_eq!(published.status, 200);
    browser.wait_for(&waiting, "Read it at").await;
    let page = browser.get(&at_once).await;
    browser.submit(&page, &format!("{at_once}/schedule"), &[("when", "slot")]).await.expect(&moments[0]);
    assert!(running.stop().await);
}
