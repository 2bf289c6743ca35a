//! Promises about edits of articles by users, and about sending an edited article to the target of its website.

use std::time::Duration;

use contentgen_server_stub::domain::article::{Article, EditRefusal};
use contentgen_server_stub::domain::audit::{Action, Actor, AuditEntry};
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::post::{MAX_PUBLISH_ATTEMPTS, PostStatus};
use contentgen_server_stub::domain::publishing_target::PublishingTarget;
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::store::{
    ArticleFilter, AuditFilter, ClaimedPost, ClaimedUpdate, LeaseOutcome, PageRequest, PostFilter, PublishOutcome,
    UpdateOutcome, UpdateState,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::randomness::SystemRandomness;
use serde_json::{Value, json};

use super::targets::{directory, write};
use super::world::{LEASE, World, both, capacity};

const PAGE: PageRequest = PageRequest { after: None, limit: 10 };

async fn claimed_post(world: &World) -> ClaimedPost {
    world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap().remove(0)
}

/// Publishes a claimed post as the scheduler does.
async fn publish(world: &World, claimed: &ClaimedPost) {
    let article = claimed.article.clone().published("https://example.org/here".to_owned(), world.now());
    let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
    let event = Event::article_published(event_id, &world.account_id, &article, &claimed.post.id, world.now());
    let outcome =
        PublishOutcome::Published { article: Box::new(article), is_hosted: claimed.target.is_hosted(), event };
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
}

/// Writes and publishes an article.
async fn published(world: &World) -> Article {
    let article = write(world).await;
    publish(world, &claimed_post(world).await).await;
    stored(world, &article.id).await
}

async fn stored(world: &World, article_id: &str) -> Article {
    world.store.find_article(article_id).await.unwrap().unwrap().article().unwrap()
}

/// Edits the article that was opened at version `opened`.
async fn edit(world: &World, article_id: &str, opened: u32, title: &str) -> Result<u32, EditRefusal> {
    let content = stored(world, article_id).await.content;
    let content = WrittenArticle { title: title.to_owned(), slug: "another-slug".to_owned(), ..content };
    world.store.edit_article(&world.account_id, article_id, (opened, content), world.moment()).await.unwrap()
}

async fn claim(world: &World) -> Vec<ClaimedUpdate> {
    world.store.claim_updates(10, world.now(), world.now().plus(LEASE)).await.unwrap()
}

async fn record(world: &World, claimed: &ClaimedUpdate, outcome: UpdateOutcome) -> LeaseOutcome {
    let version = (claimed.lease_token.as_str(), claimed.article.version);
    world.store.record_update(&claimed.article.id, version, outcome, world.now()).await.unwrap()
}

/// Returns the bodies of the webhooks that are due.
async fn webhooks(world: &World) -> Vec<Value> {
    let now = world.now();
    let due = world.store.claim_deliveries(10, &capacity(10), both(now), now.plus(LEASE)).await.unwrap();
    due.iter().map(|delivery| serde_json::from_slice(&delivery.body).unwrap()).collect()
}

pub(crate) async fn an_edit_is_the_next_version_and_overwrites_no_other(world: World) {
    let article = write(&world).await;
    let before = world.store.find_article(&article.id).await.unwrap().unwrap();
    assert_eq!(stored(&world, &article.id).await.version, 1);
    assert_eq!(edit(&world, &article.id, 1, "Rye in winter").await, Ok(2));
    let edited = stored(&world, &article.id).await;
    assert_eq!((edited.version, edited.content.title.as_str()), (2, "Rye in winter"));
    assert_eq!(edited.content.slug, article.content.slug, "the address stays");
    assert_eq!((edited.status, edited.created_at), (article.status, article.created_at));
    // The clock has not moved, but the versions have different times.
    assert!(edited.updated_at > article.updated_at);
    let after = world.store.find_article(&article.id).await.unwrap().unwrap();
    assert_ne!(after.etag, before.etag, "another body needs another entity tag");
    assert_eq!(after.updated_at, edited.updated_at);
    // The list and the search have the new title.
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let listed = world.store.list_articles(&visibility, &ArticleFilter::default(), &PAGE).await.unwrap();
    assert_eq!(listed, [edited.summary()]);
    for (typed, count) in [("rye IN", 1), ("a title", 0)] {
        let search = Search::parse(typed).unwrap();
        let found = world.store.search_articles(&visibility, &ArticleFilter::default(), &search, &PAGE).await.unwrap();
        assert_eq!(found.rows.len(), count, "{typed}");
    }
    // The second user who opened version 1 does not overwrite version 2.
    assert_eq!(edit(&world, &article.id, 1, "Mine").await, Err(EditRefusal::Changed(2)));
    assert_eq!(edit(&world, &article.id, 3, "Mine").await, Err(EditRefusal::Changed(2)));
    assert_eq!(stored(&world, &article.id).await, edited);
    // The article is published with the edited text.
    publish(&world, &claimed_post(&world).await).await;
    let found = world.store.find_published(&world.website_id, &article.content.slug).await.unwrap().unwrap();
    assert_eq!((found.version, found.content.title.as_str()), (2, "Rye in winter"));
    // Publishing changes `updated_at` but not the text, so an edit that was opened before is accepted.
    assert_eq!(edit(&world, &article.id, 2, "Rye in spring").await, Ok(3));
}

pub(crate) async fn edits_at_once_are_stored_once(world: World) {
    let article = published(&world).await;
    for opened in [1, 2] {
        let next = opened + 1;
        let edits = (0..6).map(|number| {
            let (world, article) = (&world, &article);
            async move { edit(world, &article.id, opened, &format!("Title {opened}.{number}")).await }
        });
        let outcomes = futures::future::join_all(edits).await;
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Ok(next)).count(), 1, "{outcomes:?}");
        let others = Err(EditRefusal::Changed(next));
        assert!(outcomes.iter().all(|outcome| *outcome == Ok(next) || *outcome == others), "{outcomes:?}");
        assert_eq!(stored(&world, &article.id).await.version, next);
        // Then without its post, which retention purges.
        world.execute("DELETE FROM scheduled_posts");
    }
}

pub(crate) async fn an_update_that_waits_for_a_corrected_target_is_due_at_once(world: World) {
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let article = published(&world).await;
    edit(&world, &article.id, 1, "Second").await.unwrap();
    let first = claim(&world).await.remove(0);
    record(&world, &first, UpdateOutcome::RetryAt(world.now().plus(Duration::from_hours(1)))).await;
    assert!(claim(&world).await.is_empty());
    world.set_target(&world.website_id, &directory("other")).await.unwrap();
    assert_eq!(claim(&world).await.remove(0).attempts, 2);
}

pub(crate) async fn an_edit_and_its_entry_in_the_trail_are_written_together_or_not_at_all(world: World) {
    let article = write(&world).await;
    let change = (Action::ArticleEdited, Some(article.id.as_str()));
    let entry = AuditEntry::new(&world.account_id, &Actor::Operator, change, None, world.now(), &SystemRandomness);
    let store = world.store.audited(entry);
    for expected in [Ok(2), Err(EditRefusal::Changed(2))] {
        let edit = (1, article.content.clone());
        let edited = store.edit_article(&world.account_id, &article.id, edit, world.moment()).await.unwrap();
        assert_eq!(edited, expected);
    }
    let trail = world.store.list_audit_entries(&world.account_id, &AuditFilter::default(), &PAGE).await.unwrap();
    assert_eq!(trail.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), ["article.edited"]);
}

pub(crate) async fn an_article_is_not_edited_while_it_is_published_or_archived(world: World) {
    let article = write(&world).await;
    let claimed = claimed_post(&world).await;
    assert_eq!(edit(&world, &article.id, 1, "Mine").await, Err(EditRefusal::BeingPublished));
    publish(&world, &claimed).await;
    assert_eq!(edit(&world, &article.id, 1, "Mine").await, Ok(2));
    assert!(world.store.archive_article(&article.id, world.now()).await.unwrap());
    assert_eq!(edit(&world, &article.id, 2, "Mine").await, Err(EditRefusal::Archived));
    assert!(world.store.restore_article(&article.id, world.now()).await.unwrap());
    assert_eq!(edit(&world, &article.id, 2, "Mine").await, Ok(3));
    assert_eq!(webhooks(&world).await, [] as [Value; 0]);
}

pub(crate) async fn an_edit_after_publication_has_one_event_where_somebody_asked(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let wanted = world.hook(world.endpoint(&[EventType::ArticleUpdated])).await;
    let article = write(&world).await;
    edit(&world, &article.id, 1, "Before").await.unwrap();
    publish(&world, &claimed_post(&world).await).await;
    let events = webhooks(&world).await;
    let types: Vec<_> = events.iter().map(|event| &event["type"]).collect();
    assert_eq!(types, ["article.published"], "an edit before publication has no event");
    world.advance(Duration::from_secs(1));
    edit(&world, &article.id, 2, "Second").await.unwrap();
    edit(&world, &article.id, 2, "Refused").await.unwrap_err();
    edit(&world, &article.id, 3, "Third").await.unwrap();
    let now = world.now();
    let mut due = Vec::new();
    for event in world.store.claim_deliveries(10, &capacity(10), both(now), now.plus(LEASE)).await.unwrap() {
        assert_eq!(event.endpoint_id, wanted);
        due.push(serde_json::from_slice::<Value>(&event.body).unwrap());
    }
    due.sort_by_key(|event| event["data"]["article"]["version"].as_u64());
    assert_eq!(due.len(), 2, "{due:?}");
    let newest = stored(&world, &article.id).await;
    assert_eq!(due[0]["data"]["article"]["title"], "Second");
    for event in &due {
        assert_eq!((&event["type"], &event["timestamp"]), (&json!("article.updated"), &json!(world.now())));
    }
    assert_ne!(due[0]["id"], due[1]["id"]);
    assert_eq!(due[1]["data"]["article"], json!(newest.summary()));
    assert_eq!(due[1]["data"]["metadata"], json!(newest.metadata));
    assert_eq!(due[1]["data"]["job_id"], json!(newest.job_id));
}

pub(crate) async fn an_edited_article_reaches_its_target_in_its_newest_version(world: World) {
    let store = &world.store;
    // The page of the hosted site shows the stored text, so nothing is sent.
    let hosted = published(&world).await;
    edit(&world, &hosted.id, 1, "Second").await.unwrap();
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    edit(&world, &hosted.id, 2, "Third").await.unwrap();
    assert_eq!((claim(&world).await.len(), store.find_update(&hosted.id).await.unwrap()), (0, None));

    let draft = write(&world).await;
    edit(&world, &draft.id, 1, "Second").await.unwrap();
    assert_eq!(store.find_update(&draft.id).await.unwrap(), None);
    publish(&world, &claimed_post(&world).await).await;
    assert_eq!(edit(&world, &draft.id, 2, "Third").await, Ok(3));
    assert_eq!(store.find_update(&draft.id).await.unwrap(), Some(UpdateState::Pending));
    let claimed = claim(&world).await.remove(0);
    assert_eq!((claimed.article.version, claimed.attempts, claimed.article.id.as_str()), (3, 1, draft.id.as_str()));
    assert_eq!(claimed.target, directory("posts").map_secret(Ok));
    assert!(claim(&world).await.is_empty(), "it is being sent");
    // An edit meanwhile is sent afterwards, so that no older version arrives after it.
    assert_eq!(edit(&world, &draft.id, 3, "Fourth").await, Ok(4));
    assert!(claim(&world).await.is_empty());
    assert_eq!(record(&world, &claimed, UpdateOutcome::Sent).await, LeaseOutcome::Recorded);
    let newest = claim(&world).await.remove(0);
    assert_eq!((newest.article.version, newest.attempts), (4, 1));
    assert_eq!(record(&world, &claimed, UpdateOutcome::Sent).await, LeaseOutcome::Lost);
    assert_eq!(record(&world, &newest, UpdateOutcome::Sent).await, LeaseOutcome::Recorded);
    assert_eq!((claim(&world).await.len(), store.find_update(&draft.id).await.unwrap()), (0, None));
    assert!(store.due_removals(10, world.now()).await.unwrap().is_empty(), "its file stays");
    let post = store.find_post(&claimed_post_id(&world, &draft.id).await).await.unwrap().unwrap();
    assert_eq!((post.status, post.attempts), (PostStatus::Published, 1), "the post is as after its publication");
}

async fn claimed_post_id(world: &World, article_id: &str) -> String {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let posts = world.store.list_posts(&visibility, &PostFilter::default(), &PAGE).await.unwrap();
    posts.into_iter().find(|post| post.article_id.as_deref() == Some(article_id)).unwrap().id
}

pub(crate) async fn an_update_is_tried_again_and_a_failed_one_waits_for_its_user(world: World) {
    let store = &world.store;
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let article = published(&world).await;
    edit(&world, &article.id, 1, "Second").await.unwrap();
    let first = claim(&world).await.remove(0);
    let later = world.now().plus(Duration::from_secs(5));
    record(&world, &first, UpdateOutcome::RetryAt(later)).await;
    assert!(claim(&world).await.is_empty());
    world.advance(Duration::from_secs(5));
    let second = claim(&world).await.remove(0);
    assert_eq!(second.attempts, 2);
    record(&world, &second, UpdateOutcome::Failed("It is away.".to_owned())).await;
    let failed = Some(UpdateState::Failed("It is away.".to_owned()));
    assert_eq!(store.find_update(&article.id).await.unwrap(), failed);
    world.advance(Duration::from_hours(1));
    assert!(claim(&world).await.is_empty());
    assert!(store.retry_update(&article.id, world.now()).await.unwrap());
    assert!(!store.retry_update(&article.id, world.now()).await.unwrap());
    assert_eq!(store.find_update(&article.id).await.unwrap(), Some(UpdateState::Pending));
    // An update whose process dies again and again is given up; an edit starts over.
    for attempts in 1..=MAX_PUBLISH_ATTEMPTS {
        assert_eq!(claim(&world).await.remove(0).attempts, attempts);
        world.advance(LEASE);
    }
    assert!(claim(&world).await.is_empty());
    assert!(matches!(store.find_update(&article.id).await.unwrap(), Some(UpdateState::Failed(_))));
    edit(&world, &article.id, 2, "Third").await.unwrap();
    assert_eq!(claim(&world).await.remove(0).attempts, 1);
}

pub(crate) async fn no_update_follows_an_article_that_is_taken_down(world: World) {
    let store = &world.store;
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let article = published(&world).await;
    edit(&world, &article.id, 1, "Second").await.unwrap();
    let claimed = claim(&world).await.remove(0);
    assert!(!store.archive_article(&article.id, world.now()).await.unwrap(), "it is being sent");
    record(&world, &claimed, UpdateOutcome::RetryAt(world.now())).await;
    assert!(store.archive_article(&article.id, world.now()).await.unwrap());
    assert_eq!((claim(&world).await.len(), store.find_update(&article.id).await.unwrap()), (0, None));
    assert_eq!(store.due_removals(10, world.now()).await.unwrap().len(), 1);
    // Not even if another process stored one meanwhile.
    world.execute(&format!(
        "INSERT INTO article_updates (article_id, version, attempts, run_at) VALUES ('{}', 2, 0, 0)",
        article.id
    ));
    assert_eq!((claim(&world).await.len(), store.find_update(&article.id).await.unwrap()), (0, None));
}

pub(crate) async fn an_update_goes_where_the_website_publishes_now(world: World) {
    let store = &world.store;
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let article = published(&world).await;
    world.set_target(&world.website_id, &directory("other")).await.unwrap();
    edit(&world, &article.id, 1, "Second").await.unwrap();
    let claimed = claim(&world).await.remove(0);
    assert_eq!(claimed.target, directory("other").map_secret(Ok));
    let removed = store.due_removals(10, world.now()).await.unwrap();
    assert_eq!(removed.iter().map(|removal| removal.folder.as_str()).collect::<Vec<_>>(), ["posts"]);
    record(&world, &claimed, UpdateOutcome::Sent).await;
    // The hosted site does not show an article that was published elsewhere, so its files stay.
    world.set_target(&world.website_id, &PublishingTarget::Hosted).await.unwrap();
    edit(&world, &article.id, 2, "Third").await.unwrap();
    assert!(claim(&world).await.remove(0).target.is_hosted());
    assert_eq!(store.due_removals(10, world.now()).await.unwrap().len(), 1);
}
