//! Samples in the first account of a new demonstration: articles in several states, leads, and webhooks with their deliveries.

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::accounts::{DemoAccount, FAILING_TOPIC};
use crate::app::{
    self, AdminError, App, HookSettings, LeadSubmission, NewArticle, PipelineEntry, PipelineError, PublishTime,
};
use crate::domain::event::EventType;
use crate::domain::post::PostStatus;
use crate::domain::public_url::PublicUrl;
use crate::domain::visibility::Visibility;

/// Maximum time until a sample article reaches its state, and the pause between two checks.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);
/// Number of words of a sample article.
const WORDS: &str = "300";
/// Time from the start of the demonstration to the day on which an article is scheduled.
const SCHEDULED_IN: Duration = Duration::from_hours(3 * 24);

/// Paths of the receiver on this machine, with descriptions of their endpoints. The first one is gone, the second one accepts all.
const RECEIVERS: [(&str, &str); 2] = [
    ("/gone", "Sample: this receiver is gone (410), so its delivery failed and the endpoint was disabled"),
    ("/accepts", "Sample: this receiver on your machine accepts everything"),
];

/// State that a sample article reaches. The topic that fails does not reach it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FinalState {
    Published,
    Archived,
    Scheduled,
    Ready,
    Cancelled,
}

/// Topics with the states of their articles.
const ARTICLES: [(&str, FinalState); 7] = [
    ("How to store bread so that it stays fresh", FinalState::Published),
    ("Choosing flour for a first sourdough loaf", FinalState::Published),
    ("Why bread dough needs time to rest", FinalState::Archived),
    ("Planning a weekend of baking", FinalState::Scheduled),
    ("What to ask before buying a stand mixer", FinalState::Ready),
    ("Baking bread in a small oven", FinalState::Cancelled),
    (FAILING_TOPIC, FinalState::Published),
];

/// Name, e-mail address and message of a lead, and the content of the field that people do not see.
const LEADS: [[&str; 4]; 3] = [
    ["Ada Example", "ada@example.com", "Do you teach a course on sourdough?", ""],
    ["Ben Example", "ben@example.org", "Can I freeze a loaf that is already sliced?", ""],
    ["Casino Example", "robot@example.net", "https://example.net https://example.net https://example.net", "filled"],
];
/// Lead of the website whose leads must be confirmed.
const PENDING_LEAD: [&str; 4] = ["Cleo Example", "cleo@example.com", "Please send me your opening hours.", ""];

/// Reason why the samples cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The receiver cannot listen.
    #[error("cannot start the receiver of sample webhooks")]
    Receiver(#[from] io::Error),
    /// The account cannot be read, or an endpoint cannot be registered.
    #[error(transparent)]
    Administration(#[from] AdminError),
    /// An article cannot be queued or changed.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// A lead cannot be captured.
    #[error(transparent)]
    Request(#[from] app::Error),
}

/// Adds the samples to a new account, and returns the receiver of its webhooks. Waits until the worker has written the articles. The
/// hosted site is at `site_url`.
pub async fn add_samples(app: &App, demo: &DemoAccount, site_url: &PublicUrl) -> Result<Receiver, Error> {
    let account = app.account(&demo.name).await?;
    let receiver = Receiver::start().await?;
    for (path, description) in RECEIVERS {
        let wanted = HookSettings {
            url: format!("{}{path}", receiver.address),
            events: EventType::DEFAULT.to_vec(),
            website_id: None,
            include_content: false,
            description: Some(description.to_owned()),
        };
        app.create_hook(&account, wanted).await?;
    }
    let visibility = account.visibility();
    let mut article_ids = Vec::new();
    for (topic, final_state) in ARTICLES {
        article_ids.extend(add_article(app, &visibility, &demo.website_id, topic, final_state).await?);
    }
    let article_id = article_ids.first().map_or("", String::as_str);
    for (website_id, leads, article_id) in
        [(&demo.website_id, &LEADS[..], article_id), (&demo.restricted_website_id, &[PENDING_LEAD], "")]
    {
        let website = app.website(&account, website_id).await?;
        for [name, email, message, trap] in leads {
            let consent_text = website.lead_form.shown_consent_text();
            let fields = [
                ("name", *name),
                ("email", email),
                ("message", message),
                ("_hp", trap),
                ("article_id", article_id),
                ("consent", "on"),
                ("consent_text", consent_text),
            ];
            let fields = fields.map(|(name, text)| (name.to_owned(), text.to_owned()));
            app.capture_lead(&website, LeadSubmission::from_form(fields), site_url).await?;
        }
    }
    Ok(receiver)
}

/// The receiver of sample webhooks on this machine. It listens until it is dropped.
#[derive(Debug)]
pub struct Receiver {
    address: String,
    _task: JoinSet<io::Result<()>>,
}

impl Receiver {
    async fn start() -> io::Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = format!("http://{}", socket.local_addr()?);
        let [gone, accepts] = RECEIVERS.map(|(path, _)| path);
        let router = Router::new()
            .route(gone, post(async || StatusCode::GONE))
            .route(accepts, post(async || StatusCode::NO_CONTENT));
        let mut task = JoinSet::new();
        task.spawn(async move { axum::serve(socket, router).await });
        Ok(Self { address, _task: task })
    }
}

/// Queues an article and waits until it has reached its state. Returns its id, if it was written.
async fn add_article(
    app: &App,
    visibility: &Visibility,
    website_id: &str,
    topic: &str,
    final_state: FinalState,
) -> Result<Option<String>, Error> {
    let wanted = NewArticle {
        website_id: website_id.to_owned(),
        topic: topic.to_owned(),
        words: WORDS.to_owned(),
        ..NewArticle::default()
    };
    let day = app.clock().wall().plus(SCHEDULED_IN).to_chrono().format("%Y-%m-%dT09:00").to_string();
    let time = match final_state {
        FinalState::Published | FinalState::Archived => Some(PublishTime::Now),
        FinalState::Scheduled => Some(PublishTime::At(&day)),
        FinalState::Ready | FinalState::Cancelled => None,
    };
    let post_id = app.queue_article(visibility, &wanted, time).await?;
    let Ok(written) = timeout(PATIENCE, wait(app, visibility, &post_id, final_state)).await else { return Ok(None) };
    let article_id = written?.article.map(|article| article.id);
    match (final_state, &article_id) {
        (FinalState::Archived, Some(article_id)) => {
            app.archive_article(visibility, article_id).await?;
        }
        (FinalState::Cancelled, _) => app.cancel_post(visibility, &post_id).await?,
        _ => {}
    }
    Ok(article_id)
}

/// Waits until the post has the state that its job and the scheduler give it.
async fn wait(
    app: &App,
    visibility: &Visibility,
    post_id: &str,
    final_state: FinalState,
) -> Result<PipelineEntry, PipelineError> {
    loop {
        let entry = app.pipeline_entry(visibility, post_id).await?;
        let is_reached = match entry.post.status {
            PostStatus::Queued | PostStatus::Generating | PostStatus::Publishing => false,
            PostStatus::Scheduled => final_state == FinalState::Scheduled,
            _ => true,
        };
        if is_reached {
            return Ok(entry);
        }
        sleep(PAUSE).await;
    }
}
