//! Board of scheduled posts, with a column for each stage, and the websites to choose from.

use askama::Template;

use super::super::{DisplayTime, Failure, Form, Layout, Result, Section, Visit, sentence};
use crate::app::BoardColumn;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::time_zone::TimeZone;

/// Maximum number of cards in a column of waiting posts.
const MAX_CARDS: u32 = 20;
/// Maximum number of published cards. Only recent ones are shown here; the list of articles contains all.
const MAX_PUBLISHED: u32 = 10;
const STATES: [(PostStatus, u32); 8] = [
    (PostStatus::Queued, MAX_CARDS),
    (PostStatus::Generating, MAX_CARDS),
    (PostStatus::Ready, MAX_CARDS),
    (PostStatus::Scheduled, MAX_CARDS),
    (PostStatus::Publishing, MAX_CARDS),
    (PostStatus::Published, MAX_PUBLISHED),
    (PostStatus::Failed, MAX_CARDS),
    (PostStatus::Cancelled, MAX_CARDS),
];

#[derive(Template)]
#[template(path = "dashboard/pipeline/board.html")]
struct BoardPage<'a> {
    layout: Layout,
    websites: WebsiteChoices,
    website_id: &'a str,
    shows_cancelled: bool,
    is_empty: bool,
    columns: Vec<Column>,
}

/// Column of the board.
struct Column {
    id: &'static str,
    title: &'static str,
    /// Number of posts, such as `20+`.
    count: String,
    cards: Vec<Card>,
}

/// Scheduled post on the board.
struct Card {
    post: ScheduledPost,
    website: String,
    /// Meaning of the time.
    when: &'static str,
    time: DisplayTime,
    progress: Option<u8>,
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let websites = WebsiteChoices::of(&visit).await?;
    let website_id = query.text("website_id");
    let shows_cancelled = query.has("cancelled");
    let wanted = &STATES[..if shows_cancelled { STATES.len() } else { STATES.len() - 1 }];
    let filter = Some(website_id).filter(|id| !id.is_empty());
    let states = visit.app().pipeline_board(&visit.visibility(), filter, wanted).await?;
    let is_empty = states.iter().all(|state| state.posts.is_empty()) && filter.is_none();
    let columns = columns(states, &websites);
    Ok(visit.page(&BoardPage {
        layout: visit.layout("Pipeline", Section::Pipeline),
        websites,
        website_id,
        shows_cancelled,
        is_empty,
        columns,
    }))
}

fn columns(states: Vec<BoardColumn>, websites: &WebsiteChoices) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut publishing = BoardColumn { status: PostStatus::Publishing, posts: Vec::new(), has_more: false };
    for mut state in states {
        match state.status {
            // Shown in the column of published posts, because this state is short.
            PostStatus::Publishing => {
                publishing = state;
                continue;
            }
            PostStatus::Published => {
                state.has_more |= publishing.has_more;
                let published = std::mem::replace(&mut state.posts, std::mem::take(&mut publishing.posts));
                state.posts.extend(published);
            }
            _ => {}
        }
        let (id, title) = heading(state.status);
        let count = format!("{}{}", state.posts.len(), if state.has_more { "+" } else { "" });
        let cards = state.posts.into_iter().map(|(post, progress)| card(post, progress, websites)).collect();
        columns.push(Column { id, title, count, cards });
    }
    columns
}

const fn heading(status: PostStatus) -> (&'static str, &'static str) {
    match status {
        PostStatus::Queued => ("queued", "Queued"),
        PostStatus::Generating => ("writing", "Writing"),
        PostStatus::Ready => ("ready", "Waits for approval"),
        PostStatus::Scheduled => ("scheduled", "Scheduled"),
        PostStatus::Publishing | PostStatus::Published => ("published", "Published"),
        PostStatus::Failed => ("failed", "Failed"),
        PostStatus::Cancelled => ("cancelled", "Cancelled"),
    }
}

fn card(post: ScheduledPost, progress: Option<u8>, websites: &WebsiteChoices) -> Card {
    let (when, time) = match post.status {
        PostStatus::Queued => ("since", post.created_at),
        PostStatus::Scheduled => ("at", post.publish_at.unwrap_or(post.updated_at)),
        PostStatus::Published => ("on", post.published_at.unwrap_or(post.updated_at)),
        PostStatus::Failed | PostStatus::Cancelled => ("on", post.updated_at),
        PostStatus::Generating | PostStatus::Ready | PostStatus::Publishing => ("since", post.updated_at),
    };
    let time = DisplayTime::in_zone(time, websites.zone(&post.website_id));
    Card { website: websites.name(&post.website_id).to_owned(), post, when, time, progress }
}

/// All websites of the account.
#[derive(Debug, Clone)]
pub(in crate::dashboard) struct WebsiteChoices {
    /// Websites, newest first.
    pub(in crate::dashboard) all: Vec<Website>,
}

impl WebsiteChoices {
    pub(in crate::dashboard) async fn of(visit: &Visit) -> Result<Self, Failure> {
        Ok(Self { all: visit.app().websites(visit.account()).await? })
    }

    /// Returns the active websites.
    pub(in crate::dashboard) fn active(&self) -> impl Iterator<Item = &Website> {
        self.all.iter().filter(|website| website.status == WebsiteStatus::Active)
    }

    /// Returns the website's name, or its id if it is not in the list.
    pub(in crate::dashboard) fn name<'a>(&'a self, website_id: &'a str) -> &'a str {
        self.find(website_id).map_or(website_id, |website| &website.name)
    }

    /// Returns the website's time zone.
    pub(in crate::dashboard) fn zone(&self, website_id: &str) -> TimeZone {
        TimeZone::or_utc(self.find(website_id).map_or("UTC", |website| &website.time_zone))
    }

    fn find(&self, website_id: &str) -> Option<&Website> {
        self.all.iter().find(|website| website.website_id == website_id)
    }
}
