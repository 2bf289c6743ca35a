//! One value of each type that can contain personal data, and its `Debug` output.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::net::Ipv4Addr;

use contentgen_server_stub::app::{
    self, DeliveryView, EndpointView, FieldCode, FieldError, LeadSubmission, Page, Place, Violations, Visitor,
};
use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::domain::account::Account;
use contentgen_server_stub::domain::article::Article;
use contentgen_server_stub::domain::audit::{Actor, AuditEntry};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::{AttemptKind, DeliverySummary, LoggedAttempt, LoggedDelivery};
use contentgen_server_stub::domain::endpoint_health::EndpointHealth;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{Attempt, DeliveryStatus, EndpointStatus, HookEndpoint};
use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation, LeadConsent, LeadSource};
use contentgen_server_stub::domain::personal::Personal;
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::spam::{Signs, SpamReport};
use contentgen_server_stub::domain::store::{
    AttemptRecord, AuditFilter, ClaimedDelivery, EndpointState, HeldQuotaLease, NewLink, PageKey, PublishOutcome,
    QuotaLeaseRequest, QuotaSubject, SentDelivery, SessionOpening, StoredRow,
};
use contentgen_server_stub::domain::user::{BearerToken, PasswordHash, Session, SignInLink, SignedIn, TokenHash, User};
use contentgen_server_stub::hooks::{Sent, SignedRequest};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{self, Settings};
use serde_json::json;
use serde_json::value::RawValue;

use super::declarations::holders;
use crate::store::sqlite;
use crate::store::world::both;

/// Text in every value that a visitor sends.
const PLANTED: &str = "planted";

fn lead() -> Lead {
    let planted = |what: &str| Some(format!("{PLANTED} {what}").into());
    let map = || BTreeMap::from([(format!("{PLANTED} name"), format!("{PLANTED} value"))]).into();
    Lead {
        id: "lead_1".to_owned(),
        account_id: "acct_1".to_owned(),
        website_id: "web_1".to_owned(),
        article_id: None,
        email: planted("e-mail"),
        name: planted("name"),
        company: planted("company"),
        phone: planted("phone"),
        phone_typed: planted("typed phone"),
        message: planted("message"),
        fields: map(),
        source: LeadSource {
            page_url: planted("page"),
            referrer: planted("referrer"),
            form_id: planted("form"),
            utm: map(),
        },
        spam: SpamReport::default(),
        confirmation: LeadConfirmation::default(),
        consent: LeadConsent { given: true, text: planted("words"), at: None },
        captured_at: Timestamp::from_millis(1),
        updated_at: Timestamp::from_millis(1),
    }
}

/// Returns a link that lets its holder act for the person.
fn planted_link() -> Personal<String> {
    format!("https://content.example/{PLANTED}-link").into()
}

fn event() -> Event {
    let mut event = Event::lead_captured("evt_1".to_owned(), &lead(), Some(&planted_link()));
    assert!(String::from_utf8_lossy(&event.body).contains(PLANTED));
    event.body_with_content = Some(event.body.clone());
    event
}

fn attempt() -> Attempt {
    Attempt {
        started_at: Timestamp::from_millis(1),
        request_headers: vec![("webhook-id".to_owned(), "evt_1".to_owned())],
        duration_ms: 1,
        response_status: Some(200),
        error: None,
        retry_after: None,
        timed_out: false,
        response_head: Some(format!("you sent {PLANTED}").into()),
        response_headers: vec![("x-echo".to_owned(), PLANTED.to_owned())].into(),
    }
}

fn delivery() -> ClaimedDelivery {
    ClaimedDelivery {
        id: "dlv_1".to_owned(),
        lease_token: "token".to_owned(),
        number: 1,
        kind: AttemptKind::Scheduled,
        resume: None,
        event_id: "evt_1".to_owned(),
        endpoint_id: "hook_1".to_owned(),
        url: "https://example.com/".to_owned(),
        secrets: Ok(Vec::new()),
        body: event().body,
    }
}

fn record() -> AttemptRecord {
    AttemptRecord {
        delivery: delivery(),
        attempt: attempt(),
        decision: AttemptDecision::Succeeded,
        decided_at: both(Timestamp::from_millis(1)),
    }
}

fn logged_attempt() -> LoggedAttempt {
    let attempt = attempt();
    LoggedAttempt {
        number: 1,
        kind: AttemptKind::Scheduled,
        started_at: attempt.started_at,
        request_headers: attempt.request_headers,
        duration_ms: attempt.duration_ms,
        response_status: attempt.response_status,
        error: attempt.error,
        response_headers: attempt.response_headers,
        response_head: attempt.response_head,
    }
}

fn sent_delivery() -> SentDelivery {
    let delivery = LoggedDelivery {
        id: "dlv_1".to_owned(),
        event_id: "evt_1".to_owned(),
        event_type: EventType::LeadCaptured,
        endpoint_id: "hook_1".to_owned(),
        status: DeliveryStatus::Succeeded,
        attempts: 1,
        next_attempt_at: None,
        created_at: Timestamp::from_millis(1),
    };
    let summary = DeliverySummary {
        delivery,
        object_id: "lead_1".to_owned(),
        is_in_flight: false,
        next_kind: AttemptKind::Scheduled,
        last_attempt: None,
    };
    SentDelivery { summary, body: event().body }
}

fn delivery_view() -> DeliveryView {
    let SentDelivery { summary, body } = sent_delivery();
    let endpoint = HookEndpoint {
        id: "hook_1".to_owned(),
        account_id: "acct_1".to_owned(),
        url: "https://example.com/".to_owned(),
        events: vec![EventType::LeadCaptured],
        website_id: None,
        description: None,
        secret: (),
        status: EndpointStatus::Active,
        include_content: false,
        created_at: Timestamp::from_millis(1),
    };
    let state = EndpointState {
        endpoint,
        disabled_reason: None,
        last_success_at: None,
        last_failure_at: None,
        health: EndpointHealth::default(),
    };
    let endpoint = EndpointView { state, is_failing: false };
    DeliveryView { summary, body, attempts: vec![logged_attempt()], endpoint }
}

fn lease_request() -> QuotaLeaseRequest {
    QuotaLeaseRequest {
        policy: "capture",
        subject: QuotaSubject::Address(PLANTED.to_owned().into()),
        quota: Quota { requests: 1, window_seconds: 1 },
        held: HeldQuotaLease::default(),
    }
}

fn field_error() -> FieldError {
    let detail = "it has too many characters".to_owned();
    FieldError { code: FieldCode::TooLong, place: Place::Pointer(format!("#/fields/{PLANTED}").into()), detail }
}

fn article() -> Box<Article> {
    let article = json!({
        "id": "art_1", "job_id": null, "website_id": "web_1", "status": "published", "url": null, "canonical_url": null, "version": 1,
        "topic": "", "title": "", "slug": "", "excerpt": "", "meta_title": "", "meta_description": "",
        "content_markdown": "", "content_html": "", "outline": [], "keywords": [], "tags": [], "faq": [],
        "internal_links": [], "hero_image": null, "json_ld": {}, "language": "en", "word_count": 1,
        "reading_time_minutes": 1, "voice": { "passed": true, "checks": [] }, "generator": "offline", "metadata": {},
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "published_at": null,
    });
    Box::new(serde_json::from_value(article).unwrap())
}

/// Names of the checked types.
#[derive(Default)]
struct Walk(BTreeSet<String>);

impl Walk {
    /// Checks the output of a value.
    fn over(&mut self, value: &impl Debug) {
        let name = std::any::type_name_of_val(value).split('<').next().unwrap().rsplit("::").next().unwrap();
        let bytes = PLANTED.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ");
        for output in [format!("{value:?}"), format!("{value:#?}")] {
            assert!(!output.contains(PLANTED) && !output.contains(&bytes), "{name}: {output}");
        }
        self.0.insert(name.to_owned());
    }
}

fn user() -> User {
    User {
        id: "user_1".to_owned(),
        account_id: "acct_1".to_owned(),
        email: PLANTED.to_owned().into(),
        password_hash: Some(PasswordHash(PLANTED.to_owned())),
        created_at: Timestamp::from_millis(1),
        last_sign_in_at: None,
    }
}

fn session() -> Session {
    Session {
        id: "session_1".to_owned(),
        user_id: "user_1".to_owned(),
        browser: PLANTED.to_owned().into(),
        created_at: Timestamp::from_millis(1),
        last_seen_at: Timestamp::from_millis(1),
        expires_at: Timestamp::from_millis(1),
        can_reset: false,
        confirmed_at: None,
    }
}

fn audit_entry() -> AuditEntry {
    AuditEntry {
        id: "audit_1".to_owned(),
        account_id: "acct_1".to_owned(),
        at: Timestamp::from_millis(1),
        actor: PLANTED.to_owned().into(),
        action: "user.added".to_owned(),
        subject: None,
        detail: Some(PLANTED.to_owned().into()),
    }
}

fn demo_account() -> DemoAccount {
    let [name, api_key, limited_api_key, narrow_api_key] = [(); 4].map(|()| String::new());
    let [revoked_api_key, expired_api_key, restricted_api_key, failing_topic] = [(); 4].map(|()| String::new());
    let [website_id, inactive_website_id, restricted_website_id, pausable_website_id] = [(); 4].map(|()| String::new());
    let (email, sign_in_token) = (PLANTED.to_owned().into(), PLANTED.to_owned());
    DemoAccount {
        name,
        api_key,
        limited_api_key,
        narrow_api_key,
        revoked_api_key,
        expired_api_key,
        restricted_api_key,
        website_id,
        inactive_website_id,
        restricted_website_id,
        pausable_website_id,
        failing_topic,
        email,
        sign_in_token,
    }
}

#[tokio::test]
async fn no_debug_output_shows_anything_of_a_person() {
    let mut walk = Walk::default();
    let actor = Actor::User(PLANTED.to_owned().into());
    let running = server::start(Settings { is_worker: false, ..Settings::demo() }).await.unwrap();
    walk.over(&running.app().acting_as(actor.clone()));
    walk.over(&running);
    assert!(running.stop().await);
    walk.over(&actor);
    walk.over(&audit_entry());
    let (store, _folder) = sqlite::fresh().unwrap();
    walk.over(&store.audited(audit_entry()));
    walk.over(&AuditFilter { action: None, actor: Search::parse(PLANTED).map(Into::into) });
    walk.over(&demo_account());
    walk.over(&user());
    walk.over(&session());
    let account =
        Account { id: "acct_1".to_owned(), name: "account".to_owned(), created_at: Timestamp::from_millis(1) };
    walk.over(&SignInLink { user: user(), made_by: PLANTED.to_owned().into() });
    walk.over(&SignedIn { session: session(), user: user(), account });
    let token = TokenHash([1; 32]);
    walk.over(&SessionOpening {
        session: session(),
        token,
        former: token,
        link: Some(token),
        password: Some(PasswordHash(PLANTED.to_owned())),
        subjects: Vec::new(),
    });
    walk.over(&Visitor {
        peer: app::Peer(Ipv4Addr::LOCALHOST.into()),
        browser: PLANTED.to_owned().into(),
        token: BearerToken::generate(&SystemRandomness),
    });
    walk.over(&lead());
    walk.over(&lead().source);
    walk.over(&lead().consent);
    walk.over(&Signs { name: PLANTED.into(), ..Signs::default() });
    walk.over(&lead().email.unwrap());
    walk.over(&Page { items: vec![lead()], next_page: None });
    let json = RawValue::from_string(json!({ "email": PLANTED }).to_string()).unwrap().into();
    walk.over(&StoredRow { key: PageKey { time: Timestamp::from_millis(1), id: "lead_1".to_owned() }, json });
    walk.over(&LeadSubmission::from_json(json!({ "email": PLANTED })));
    walk.over(&LeadSubmission::from_form([("email".to_owned(), PLANTED.to_owned())]));
    walk.over(&event());
    let recipient = PLANTED.to_owned().into();
    walk.over(&NewLink { recipient, event: event(), none_since: Timestamp::from_millis(1) });
    walk.over(&PublishOutcome::Published { article: article(), is_hosted: true, event: event() });
    walk.over(&delivery());
    let body = bytes::Bytes::from(PLANTED).into();
    walk.over(&SignedRequest { url: "https://example.com/", id: "msg_1", body: &body, secrets: &[], headers: &[] });
    walk.over(&attempt());
    walk.over(&record());
    walk.over(&logged_attempt());
    walk.over(&sent_delivery());
    walk.over(&delivery_view());
    walk.over(&lease_request());
    walk.over(&lease_request().subject);
    walk.over(&Sent { attempt: attempt(), not_sent: None });
    walk.over(&field_error());
    walk.over(&field_error().place);
    walk.over(&Violations::from(field_error()));
    walk.over(&app::Error::Validation(field_error().into()));
    // A page contains the rows of its list. The source does not say which lists have leads.
    walk.0.remove("Page");
    let mut holders = holders();
    // The first shows no fields. The second shows the messages of errors.
    for shown_by_hand in ["CheckedBody", "ErrorChain"] {
        assert!(holders.remove(shown_by_hand), "{shown_by_hand}");
    }
    // Their `Debug` is derived, and their personal data is in fields of types checked above.
    for derived in [
        "Attention",
        "Subject",
        "LeadView",
        "ListedLead",
        "PersonLead",
        "ListedVoice",
        "SavedVoice",
        "PipelineError",
        "EditError",
    ] {
        assert!(holders.remove(derived), "{derived}");
    }
    for with_a_store in ["ArticleUpdates", "Dispatcher", "FileRemovals", "Purger", "Scrape"] {
        assert!(holders.remove(with_a_store), "{with_a_store}");
    }
    assert_eq!(walk.0, holders, "left: walked over here; right: holds `Personal`, by the source");
}
