//! Double opt-in: the link in the webhook, its page, and the effect of confirming.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::lead::ONE_LINK_WINDOW;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::link_token::CONFIRMATION_VALID_FOR;
use contentgen_server_stub::server::{Running, Server, Settings};
use serde_json::{Value, json};

use super::client::{ApiResponse, Caller, WithJson as _};
use super::contract::check_text;
use super::world::World;
use crate::hooks::receiver::{Answer, Receiver, status};
use crate::moved_clock::MovedClock;

/// A server whose first website requires confirmation, and a receiver of events about leads and confirmations.
struct Harness {
    running: Running,
    world: World,
    receiver: Receiver,
    clock: Arc<MovedClock>,
    captured: usize,
    /// Ids of the received events.
    seen: BTreeSet<String>,
}

impl Harness {
    async fn start() -> Self {
        Self::start_with(Settings::demo()).await
    }

    async fn start_with(settings: Settings) -> Self {
        let clock = Arc::new(MovedClock::running());
        let server = Server::builder().settings(settings).clock(clock.clone() as Arc<dyn Clock>);
        let running = server.start().await.unwrap();
        let world = World::of(&running);
        let receiver = Receiver::start(&[("/in", Answer::Bytes(status("200 OK")))]).await;
        let events = [EventType::LeadCaptured, EventType::LeadConfirmed];
        running.create_hook(&running.accounts()[0].name, &receiver.url("/in"), &events).await.unwrap();
        let harness = Self { running, world, receiver, clock, captured: 0, seen: BTreeSet::new() };
        harness.set("en", true).await;
        harness
    }

    async fn set(&self, language: &str, double_opt_in: bool) {
        let (app, website_id) = (self.running.app(), self.world.website_id());
        let account = app.account(&self.running.accounts()[0].name).await.unwrap();
        let website = app.website(&account, website_id).await.unwrap();
        let settings = contentgen_server_stub::app::WebsiteSettings {
            name: website.name.clone(),
            url: website.url.clone(),
            language: language.to_owned(),
            lead_form: LeadForm { double_opt_in, ..LeadForm::default() },
            ..Default::default()
        };
        app.save_website(&account, &website, settings).await.unwrap();
    }

    fn visitor(&self) -> Caller {
        self.world.first().with_key(None)
    }

    /// Captures a lead, and returns its data from the webhook.
    async fn capture(&mut self, email: &str) -> Value {
        let path = format!("/capture/{}", self.world.website_id());
        assert_eq!(self.visitor().post_json(&path, &json!({ "email": email })).await.status, 202);
        self.next_event("lead.captured").await["data"].clone()
    }

    /// Captures a lead that waits for confirmation. Returns true if its webhook has a link.
    async fn gets_link(&mut self, body: Value) -> bool {
        let path = format!("/capture/{}", self.world.website_id());
        assert_eq!(self.visitor().post_json(&path, &body).await.status, 202);
        let told = self.next_event("lead.captured").await["data"].clone();
        assert_eq!(told["lead"]["confirmation"]["status"], "pending", "{told}");
        !told["confirmation_url"].is_null()
    }

    async fn next_event(&mut self, wanted: &str) -> Value {
        loop {
            self.captured += 1;
            let hooks = self.receiver.wait_for("/in", self.captured).await;
            let event: Value = serde_json::from_slice(&hooks[self.captured - 1].body).unwrap();
            // After a change of the clock, an attempt may be too late to be recorded. Its event then arrives again.
            if self.seen.insert(event["id"].to_string()) {
                assert_eq!(event["type"], wanted, "{event}");
                return event;
            }
        }
    }

    async fn lead(&self, id: &Value) -> Value {
        self.world.first().get(&format!("/api/v1/leads/{}", id.as_str().unwrap())).await.json()
    }

    async fn post(&self, path: &str) -> ApiResponse {
        let visitor = self.visitor();
        visitor.send(visitor.request("POST", path)).await
    }

    /// Returns the responses to a browser that opens the link and then presses the button.
    async fn browsed(&self, path: &str) -> [ApiResponse; 2] {
        let visitor = self.visitor();
        let request = |method: &str| visitor.request(method, path).header("accept", "text/html,*/*;q=0.8");
        [visitor.send(request("GET")).await, visitor.send(request("POST")).await]
    }

    /// Returns the problems in the responses to GET and POST by a program.
    async fn problems(&self, path: &str) -> [(u16, String); 2] {
        [self.visitor().get(path).await.problem(), self.post(path).await.problem()]
    }

    /// Returns the link's path on the server.
    fn path(&self, told: &Value) -> String {
        let url = told["confirmation_url"].as_str().unwrap();
        url.strip_prefix(self.running.base_url().unwrap()).unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_lead_is_confirmed_by_its_link_once_and_looking_changes_nothing() {
    let mut harness = Harness::start().await;
    let told = harness.capture("reader@example.com").await;
    let pending = json!({ "status": "pending", "confirmed_at": null });
    assert_eq!(told["lead"]["confirmation"], pending);
    let id = told["lead"]["id"].clone();
    let path = harness.path(&told);
    for _ in 0..2 {
        let page = harness.visitor().get(&path).await;
        assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
        assert_eq!((page.header("referrer-policy"), page.header("x-robots-tag")), ("no-referrer", "noindex"));
        assert!(page.header("content-security-policy").contains("form-action 'self'"));
        assert!(page.text().contains("<form method=\"post\">") && page.text().contains("Harbour Bakery"));
        assert!(!page.text().contains("reader@example.com"), "a scanner of mail may look");
    }
    let head = harness.visitor().send(harness.visitor().request("HEAD", &path)).await;
    assert_eq!((head.status, &harness.lead(&id).await["confirmation"]), (200, &pending));

    let thanks = harness.post(&path).await;
    assert_eq!(thanks.status, 200);
    assert!(thanks.text().contains("Thank you") && !thanks.text().contains("<form"), "{}", thanks.text());
    let event = harness.next_event("lead.confirmed").await;
    let lead = harness.lead(&id).await;
    assert_eq!((&event["data"]["lead"], &lead["confirmation"]["status"]), (&lead, &json!("confirmed")));
    assert_eq!(lead["confirmation"]["confirmed_at"], event["timestamp"]);
    assert_eq!((&lead["updated_at"], &told["lead"]["updated_at"]), (&event["timestamp"], &lead["captured_at"]));
    assert!(event["data"].get("confirmation_url").is_none() && !lead.to_string().contains("confirmations/"));
    let listed = harness.world.first().get("/api/v1/leads").await;
    assert_eq!(listed.json()["items"][0], lead);

    // A second confirmation gets the same response and has no effect: the next event belongs to the next lead.
    assert_eq!(harness.post(&path).await.text(), thanks.text());
    assert_eq!(harness.visitor().get(&path).await.text(), thanks.text());
    harness.capture("other@example.com").await;
    assert_eq!(harness.lead(&id).await, lead);
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn a_person_gets_one_link_in_ten_minutes_and_spam_gets_none() {
    let mut harness = Harness::start().await;
    let form = |email: &str, form_id: &str| json!({ "email": email, "source": { "form_id": form_id } });
    assert!(!harness.gets_link(json!({ "email": "robin@example.com", "_hp": "x" })).await);
    assert!(harness.gets_link(form("robin@example.com", "a")).await);
    for email in ["robin@example.com", "ROBIN@example.com", "robin+news@example.com"] {
        assert!(!harness.gets_link(form(email, email)).await, "{email}");
    }
    assert!(harness.gets_link(form("ada@example.com", "a")).await);
    let phone = |phone: &str| json!({ "phone": phone });
    assert!(harness.gets_link(phone("+44 (0)20 7946 0000")).await);
    assert!(!harness.gets_link(phone("0044 20 7946-0000")).await);
    harness.clock.advance(ONE_LINK_WINDOW + Duration::from_secs(1));
    assert!(harness.gets_link(form("robin@example.com", "b")).await);
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn a_confirmation_is_found_by_the_time_of_the_change_and_moves_no_lead() {
    let mut harness = Harness::start().await;
    let first = harness.capture("first@example.com").await;
    harness.clock.advance(Duration::from_mins(1));
    let second = harness.capture("second@example.com").await;
    harness.clock.advance(Duration::from_mins(1));
    harness.post(&harness.path(&first)).await;
    harness.next_event("lead.confirmed").await;
    let changed = harness.lead(&first["lead"]["id"]).await["updated_at"].as_str().unwrap().to_owned();
    let ids = async |query: &str| {
        let page = harness.world.first().get(&format!("/api/v1/leads?{query}")).await.json();
        page["items"].as_array().unwrap().iter().map(|lead| lead["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&format!("updated_since={changed}")).await, [first["lead"]["id"].clone()]);
    assert_eq!(ids(&format!("captured_since={changed}")).await, [] as [Value; 0]);
    let both = [second["lead"]["id"].clone(), first["lead"]["id"].clone()];
    assert_eq!(ids("").await, both);
    let captured = second["lead"]["captured_at"].as_str().unwrap();
    assert_eq!(ids(&format!("updated_since={captured}")).await, both);
    // The token contains the filter and is valid only with it.
    let page = harness.world.first().get(&format!("/api/v1/leads?limit=1&updated_since={captured}")).await.json();
    let token = page["next_page"].as_str().unwrap();
    assert_eq!(ids(&format!("page_token={token}")).await, both[1..]);
    let other = format!("/api/v1/leads?updated_since={changed}&page_token={token}");
    assert_eq!(harness.world.first().get(&other).await.problem(), (400, "invalid_page_token".to_owned()));
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn a_link_that_was_changed_or_is_of_another_website_confirms_nothing() {
    let mut harness = Harness::start().await;
    let told = harness.capture("reader@example.com").await;
    let path = harness.path(&told);
    let (before, token) = path.rsplit_once('/').unwrap();
    let middle = token.len() / 2;
    let other = if token.as_bytes()[middle] == b'A' { "B" } else { "A" };
    let changed = format!("{before}/{}{other}{}", &token[..middle], &token[middle + 1..]);
    let elsewhere = path.replace(harness.world.website_id(), &harness.running.accounts()[1].website_id);
    for wrong in [&changed, &elsewhere, &format!("{before}/x"), &path.replace(harness.world.website_id(), "web_none")] {
        assert_eq!(harness.problems(wrong).await, [(); 2].map(|()| (404, "route_not_found".to_owned())), "{wrong}");
        for answer in harness.browsed(wrong).await {
            assert_eq!(answer.status, 404, "{wrong}");
            assert!(answer.text().contains("This link does not work"), "{}", answer.text());
        }
    }
    let refused = harness.visitor().send(harness.visitor().request("PUT", &path)).await;
    assert_eq!((refused.problem().1.as_str(), refused.header("allow")), ("method_not_allowed", "GET, HEAD, POST"));
    let broken = harness.visitor().get(&format!("{before}/%FF")).await;
    assert_eq!(broken.problem(), (404, "route_not_found".to_owned()));
    assert_eq!(harness.lead(&told["lead"]["id"]).await["confirmation"]["status"], "pending");
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn a_link_expires_after_a_week_and_ends_with_its_lead() {
    let mut harness = Harness::start().await;
    let late = harness.capture("late@example.com").await;
    let late_path = harness.path(&late);
    let almost = CONFIRMATION_VALID_FOR.checked_sub(Duration::from_mins(5)).unwrap();
    harness.clock.advance(almost);
    assert_eq!(harness.visitor().get(&late_path).await.status, 200);
    harness.clock.advance(Duration::from_mins(5));
    let expired = [(); 2].map(|()| (410, "confirmation_expired".to_owned()));
    assert_eq!(harness.problems(&late_path).await, expired);
    check_text(&harness.visitor().get(&late_path).await.json());
    for answer in harness.browsed(&late_path).await {
        assert_eq!(answer.status, 410);
        assert!(answer.text().contains("This link has expired") && !answer.text().contains("<form"));
    }
    assert_eq!(harness.lead(&late["lead"]["id"]).await["confirmation"]["status"], "pending");

    let erased = harness.capture("erased@example.com").await;
    let account = harness.running.app().account(&harness.running.accounts()[0].name).await.unwrap();
    harness.running.app().erase_lead(&account, erased["lead"]["id"].as_str().unwrap()).await.unwrap();
    assert_eq!(harness.problems(&harness.path(&erased)).await, expired);
    for answer in harness.browsed(&harness.path(&erased)).await {
        assert_eq!((answer.status, answer.header("referrer-policy")), (410, "no-referrer"));
        assert!(answer.text().contains("has been erased"), "{}", answer.text());
    }
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn the_page_speaks_the_websites_language_and_without_double_opt_in_there_is_no_link() {
    let mut harness = Harness::start().await;
    let told = harness.capture("reader@example.com").await;
    for (language, lang, says) in [
        ("de-AT", "<html lang=\"de\" dir=\"ltr\">", "Bitte bestätigen"),
        ("fr", "<html lang=\"fr\" dir=\"ltr\">", "Veuillez confirmer"),
        ("he", "<html lang=\"en\" dir=\"ltr\">", "Please confirm"),
    ] {
        harness.set(language, true).await;
        let page = harness.visitor().get(&harness.path(&told)).await.text();
        assert!(page.contains(lang) && page.contains(says), "{page}");
    }
    harness.set("en", false).await;
    let told = harness.capture("plain@example.com").await;
    assert_eq!(told["lead"]["confirmation"], json!({ "status": "not_required", "confirmed_at": null }));
    assert!(told.get("confirmation_url").is_none(), "{told}");
    assert!(harness.running.stop().await);
}

#[tokio::test]
async fn one_address_confirms_as_often_as_it_sends_forms() {
    let capture_quota = contentgen_server_stub::http::Quotas::CAPTURE;
    let mut harness = Harness::start_with(Settings { capture_quota, ..Settings::demo() }).await;
    let told = harness.capture("reader@example.com").await;
    let path = harness.path(&told);
    // The form was one of the ten.
    for _ in 0..9 {
        assert_eq!(harness.post(&path).await.status, 200);
    }
    harness.set("fr", true).await;
    assert_eq!(harness.post(&path).await.problem(), (429, "rate_limited".to_owned()));
    let [_, refused] = harness.browsed(&path).await;
    assert!(refused.text().contains("ouvrez de nouveau le lien"), "{}", refused.text());
    assert_eq!(refused.status, 429);
    assert!(!refused.header("retry-after").is_empty() && refused.header("referrer-policy") == "no-referrer");
    assert_eq!(harness.visitor().get(&path).await.status, 200, "looking is not counted");
    let form = harness.visitor().request("POST", &format!("/capture/{}", harness.world.website_id()));
    let form = harness.visitor().send(form.with_json(&json!({ "email": "b@example.com" }))).await;
    assert_eq!(form.status, 429, "both are one quota");
    assert!(harness.running.stop().await);
}
