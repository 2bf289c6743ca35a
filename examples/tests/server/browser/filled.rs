//! A server with much data, so that every page has content.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::server::{Running, Server, Settings};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::any_language::AnyLanguage;
use crate::{capture, full_client, request};

/// Topics of the articles.
const TOPICS: [&str; 6] = [
    "Keeping a rye starter alive through winter",
    "Why a loaf needs salt",
    "Choosing a flour for a first sourdough",
    "What to bake when it is hot outside",
    "How long bread keeps, and how to keep it longer",
    "Baking for forty people in a small kitchen, with one oven, and without getting up in the middle of the night",
];
/// Leads that readers send.
const LEADS: [&str; 4] = [
    r#"{"email":"ada@example.com","name":"Ada Brook","message":"Do you teach a course on rye?","consent":{"given":true}}"#,
    r#"{"email":"grace@example.org","name":"Grace Hill","fields":{"order":"12 loaves","day":"Saturday"},"consent":{"given":true}}"#,
    r#"{"email":"a-very-long-address-that-somebody-really-has@a-subdomain.of-an-even-longer-domain.example"}"#,
    r#"{"email":"linus@example.net","message":"Is the seeded loaf free of nuts? My daughter is allergic, and the page about it does not say so clearly.","consent":{"given":true}}"#,
];
/// Retry schedule of webhooks: the server gives up a failing receiver soon.
const PAUSES: &str = "10ms,10ms";

/// The server and the receivers of its webhooks.
pub(super) struct Filled {
    pub(super) server: Running,
    _receivers: JoinSet<std::io::Result<()>>,
    /// Folder for articles that are published as files.
    _folder: tempfile::TempDir,
}

impl Filled {
    /// Starts a server with articles in most states, leads, and delivered and failed webhooks.
    pub(super) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder is to be had");
        let settings = Settings {
            hook_retry_schedule: PAUSES.parse().expect("pauses are written so"),
            publish_root: Some(folder.path().to_owned()),
            ..Settings::demo()
        };
        let server = Server::builder().settings(settings).generator(Arc::new(AnyLanguage));
        let server = server.start().await.expect("a loopback port and a temporary folder are to be had");
        let mut receivers = JoinSet::new();
        let account = &server.accounts()[0].name;
        for status in [StatusCode::NO_CONTENT, StatusCode::INTERNAL_SERVER_ERROR] {
            let url = receiver(&mut receivers, status).await;
            server.create_hook(account, &url, &[]).await.expect("hooks may go to this machine");
        }
        let owner = server.app().account(account).await.expect("the demonstration has it");
        // Only one of at least two users can be removed.
        server.app().create_user(&owner, "miller@harbour-bakery.example").await.expect("the address is new");
        for lead in LEADS {
            capture(&server, lead).await;
        }
        write(&server).await;
        remember_a_month(&server, &owner.id);
        Self { server, _receivers: receivers, _folder: folder }
    }
}

/// Generates articles: published ones, a scheduled one, one that waits for approval, and one that fails.
async fn write(server: &Running) {
    let client = full_client(server);
    let mut jobs: Vec<_> = Vec::new();
    for topic in TOPICS {
        let job = client.generate().body(request(server, topic).target_word_count(300)).send().await;
        jobs.push(job.expect("the topic is taken").into_inner().job_id);
    }
    let now = server.app().clock().wall().millis();
    let in_a_week = chrono::DateTime::UNIX_EPOCH + chrono::Duration::milliseconds(now) + chrono::Duration::days(7);
    let later = request(server, "What we bake for Easter").publish_at(in_a_week);
    jobs.push(client.generate().body(later).send().await.expect("the time is taken").into_inner().job_id);
    let website_id = website_with_approval(server).await;
    let to_approve = request(server, "Our new opening hours").website_id(website_id.as_str());
    jobs.push(client.generate().body(to_approve).send().await.expect("the website is active").into_inner().job_id);
    // Fails: the profile forbids the only word of the topic.
    let forbidden = client.generate().body(request(server, "Synergy")).send().await;
    jobs.push(forbidden.expect("the topic is taken").into_inner().job_id);
    for job in &jobs {
        client.wait_for_job(job).poll_interval(Duration::from_millis(20)).await.expect("every job ends");
    }
}

async fn website_with_approval(server: &Running) -> String {
    let account = server.app().account(&server.accounts()[0].name).await.expect("the demonstration has it");
    let settings = WebsiteSettings {
        name: "Harbour Bakery for wholesale customers, restaurants and schools".to_owned(),
        url: "https://wholesale.harbour-bakery.example".to_owned(),
        time_zone: "Europe/London".to_owned(),
        auto_publish: false,
        ..WebsiteSettings::default()
    };
    server
        .app()
        .create_website(&account, settings, WebsiteStatus::Active)
        .await
        .expect("the website can be made")
        .website_id
}

/// Writes statistics of past days into the database, as if the account had been active for a month.
fn remember_a_month(server: &Running, account_id: &str) {
    let path = server.database().strip_prefix("sqlite:").expect("a demonstration keeps its data in a file");
    let database = rusqlite::Connection::open(path).expect("the file is there");
    let today = server.app().clock().wall().millis() / (24 * 60 * 60 * 1000);
    for days_ago in 5..30 {
        // Numbers that vary.
        let (articles, leads) = (1 + days_ago * 7 % 4, 2 + days_ago * 11 % 9);
        let (deliveries, failures) = (articles + leads, if days_ago == 12 { 6 } else { days_ago % 5 / 4 });
        let day = (account_id, today - days_ago, articles, leads, deliveries, failures);
        let statement =
            "INSERT INTO daily_statistics (account_id, time_zone, day, articles, leads, deliveries, failures)
            SELECT ?1, CASE WHEN count(DISTINCT time_zone) = 1 THEN min(time_zone) ELSE 'UTC' END, ?2, ?3, ?4, ?5, ?6
            FROM websites WHERE account_id = ?1 AND status <> 'archived'";
        database.execute(statement, day).expect("the table has no rows for these days");
    }
}

/// Starts a receiver that responds to every webhook with this status. Returns its URL.
async fn receiver(receivers: &mut JoinSet<std::io::Result<()>>, status: StatusCode) -> String {
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}/hooks", socket.local_addr().expect("it is bound"));
    let router = Router::new().route("/hooks", post(move || async move { status }));
    receivers.spawn(async move { axum::serve(socket, router).await });
    url
}
