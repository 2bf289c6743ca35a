//! Promises about publishing targets of websites, and about files that are to be removed.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::Article;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::hook::HookSecret;
use contentgen_server_stub::domain::post::PostChange;
use contentgen_server_stub::domain::publishing_target::{
    FolderName, FrontMatter, MAX_PUSHES_AT_ONCE, MAX_PUSHES_IN_ALL, PublishingTarget,
};
use contentgen_server_stub::domain::store::{ClaimedPost, Error, FileRemoval, LeaseOutcome, PublishOutcome};
use contentgen_server_stub::publishing::{Directory, FileRemovals};
use contentgen_server_stub::randomness::SystemRandomness;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::world::{LEASE, World};
use crate::hooks::harness::WorldClock;
use crate::waiting::until;

pub(super) fn directory(folder: &str) -> PublishingTarget {
    PublishingTarget::Directory { folder: FolderName::parse(folder).unwrap(), front_matter: FrontMatter::Toml }
}

pub(super) async fn write(world: &World) -> Article {
    world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    let completion = world.completion(&claimed, "A title");
    let article = completion.article.clone();
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    article
}

async fn due(world: &World) -> ClaimedPost {
    world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap().remove(0)
}

async fn removals(world: &World) -> Vec<FileRemoval> {
    world.store.due_removals(10, world.now()).await.unwrap()
}

pub(crate) async fn a_website_publishes_where_it_was_last_set_to(world: World) {
    let (store, id) = (&world.store, world.website_id.as_str());
    assert!(store.find_target(id).await.unwrap().is_hosted());
    let secret = HookSecret::generate(&SystemRandomness);
    let push = PublishingTarget::Push { url: "https://cms.example/".to_owned(), secret: secret.clone() };
    for target in [directory("posts"), push, directory("other"), PublishingTarget::Hosted, directory("posts")] {
        assert!(world.set_target(id, &target).await.unwrap());
        assert_eq!(store.find_target(id).await.unwrap(), target.clone().map_secret(Ok));
        // The scheduler uses the same target.
        write(&world).await;
        assert_eq!(due(&world).await.target, target.map_secret(Ok));
    }
    assert!(!world.set_target("web_nothing", &directory("more")).await.unwrap());
}

pub(crate) async fn no_two_websites_have_one_folder(world: World) {
    let store = &world.store;
    store.create_website(&world.website("web_other", WebsiteStatus::Active)).await.unwrap();
    assert!(world.set_target(&world.website_id, &directory("posts")).await.unwrap());
    let taken = world.set_target("web_other", &directory("posts")).await;
    assert!(matches!(taken, Err(Error::AlreadyExists)), "{taken:?}");
    assert!(store.find_target("web_other").await.unwrap().is_hosted());
    assert!(world.set_target(&world.website_id, &PublishingTarget::Hosted).await.unwrap());
    assert!(world.set_target("web_other", &directory("posts")).await.unwrap());
}

pub(crate) async fn articles_that_wait_for_a_corrected_target_are_due_at_once(world: World) {
    let push = |url: &str| {
        let secret = HookSecret::generate(&SystemRandomness);
        PublishingTarget::Push { url: url.to_owned(), secret }
    };
    world.set_target(&world.website_id, &push("https://wrong.example/")).await.unwrap();
    let mut planned = world.submission("a topic");
    planned.job.request.publish_at = Some(world.now().plus(Duration::from_mins(30)));
    world.queue(planned).await;
    let completion = world.completion(&world.claim().await.remove(0), "Later");
    world.store.complete_job(completion).await.unwrap();
    let waiting = write(&world).await;
    let claimed = due(&world).await;
    let retry = PublishOutcome::RetryAt(world.now().plus(Duration::from_hours(2)));
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, retry, world.moment()).await.unwrap();
    world.advance(Duration::from_mins(1));
    let claim = async || world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert!(claim().await.is_empty());
    world.store.create_website(&world.website("web_other", WebsiteStatus::Active)).await.unwrap();
    world.set_target("web_other", &push("https://other.example/")).await.unwrap();
    assert!(claim().await.is_empty(), "another website's target was corrected");
    world.set_target(&world.website_id, &push("https://right.example/")).await.unwrap();
    let claimed = claim().await;
    assert_eq!(claimed.iter().map(|one| &one.article.id).collect::<Vec<_>>(), [&waiting.id]);
    assert_eq!(claimed[0].post.attempts, 2, "it is the next attempt of the schedule");
}

pub(crate) async fn a_target_that_was_changed_meanwhile_is_not_replaced(world: World) {
    let (store, id) = (&world.store, world.website_id.as_str());
    let secret = HookSecret::generate(&SystemRandomness);
    let push = PublishingTarget::Push { url: "https://cms.example/".to_owned(), secret };
    world.set_target(id, &push).await.unwrap();
    let opened = store.find_target(id).await.unwrap();
    let secret = HookSecret::generate(&SystemRandomness);
    let renewed = PublishingTarget::Push { url: "https://cms.example/".to_owned(), secret };
    assert!(store.set_target(id, &opened, &renewed, world.moment()).await.unwrap());
    for target in [directory("posts"), PublishingTarget::Hosted, push] {
        assert!(!store.set_target(id, &opened, &target, world.moment()).await.unwrap(), "{target:?}");
    }
    assert_eq!(store.find_target(id).await.unwrap(), renewed.map_secret(Ok));
}

pub(crate) async fn the_system_of_a_website_gets_few_articles_at_a_time(world: World) {
    let (store, id) = (&world.store, world.website_id.as_str());
    let secret = HookSecret::generate(&SystemRandomness);
    let push = PublishingTarget::Push { url: "https://cms.example/".to_owned(), secret };
    world.set_target(id, &push).await.unwrap();
    for _ in 0..=2 * MAX_PUSHES_AT_ONCE {
        write(&world).await;
    }
    let claim = async |in_flight: usize| {
        let in_flight = [("web_other".to_owned(), 9), (id.to_owned(), in_flight)];
        store.claim_posts(100, &in_flight, world.moment(), world.now().plus(LEASE)).await.unwrap().len()
    };
    assert_eq!(claim(MAX_PUSHES_AT_ONCE).await, 0);
    assert_eq!(claim(MAX_PUSHES_AT_ONCE - 1).await, 1);
    assert_eq!(claim(0).await, MAX_PUSHES_AT_ONCE);
    let others: Vec<_> = (0..MAX_PUSHES_IN_ALL / 2).map(|number| (format!("web_{number}"), 2)).collect();
    let claimed = store.claim_posts(100, &others, world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert!(claimed.is_empty(), "all systems together have what they may have");
    // Other targets have no such limit.
    world.set_target(id, &PublishingTarget::Hosted).await.unwrap();
    assert_eq!(claim(0).await, MAX_PUSHES_AT_ONCE);
}

pub(crate) async fn a_file_is_removed_once_its_article_is_not_public_any_more(world: World) {
    let store = &world.store;
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let article = write(&world).await;
    let claimed = due(&world).await;
    assert!(removals(&world).await.is_empty(), "it is on its way");
    // An attempt may have published the article without recording that.
    let failure = Failure { code: "publish_failed".to_owned(), message: "Away.".to_owned(), retryable: true };
    let outcome = PublishOutcome::Failed(failure);
    store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
    let removal = removals(&world).await.remove(0);
    assert_eq!(
        (&removal.article_id, removal.folder.as_str(), removal.slug.as_str()),
        (&article.id, "posts", "a-title")
    );
    // The remover first postpones the removal. A failed removal is then retried.
    let later = world.now().plus(LEASE);
    let postponed = store.postpone_removal(&removal, later).await.unwrap().unwrap();
    assert!(removals(&world).await.is_empty());
    world.advance(LEASE);
    let removal = removals(&world).await.remove(0);
    assert_eq!(removal, postponed);
    // The article is published again meanwhile, so its file stays.
    store.change_post(&claimed.post.id, PostChange::RetryPublishing, world.moment()).await.unwrap().unwrap();
    let claimed = due(&world).await;
    assert_eq!(store.postpone_removal(&removal, later).await.unwrap(), None);
    store.record_removal(&removal).await.unwrap();
    assert!(removals(&world).await.is_empty());
    let outcome = PublishOutcome::RetryAt(world.now());
    store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
    // After archiving, the file is removed.
    assert!(store.archive_article(&article.id, world.now()).await.unwrap());
    let removal = removals(&world).await.remove(0);
    store.record_removal(&removal).await.unwrap();
    assert!(removals(&world).await.is_empty());
}

pub(crate) async fn what_a_failed_attempt_left_is_removed_once_its_article_is_not_to_be_there(world: World) {
    let store = &world.store;
    let later = world.now().plus(Duration::from_hours(1));
    for change in [PostChange::Cancel, PostChange::Unschedule, PostChange::Schedule(Some(later))] {
        world.set_target(&world.website_id, &directory("posts")).await.unwrap();
        let article = write(&world).await;
        let claimed = due(&world).await;
        let outcome = PublishOutcome::RetryAt(world.now());
        store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
        assert!(removals(&world).await.is_empty());
        // The next attempt uses another target. Then the file is removed, too.
        world.set_target(&world.website_id, &directory("notes")).await.unwrap();
        let claimed = due(&world).await;
        let removal = removals(&world).await.remove(0);
        assert_eq!((&removal.article_id, removal.folder.as_str()), (&article.id, "posts"));
        store.record_removal(&removal).await.unwrap();
        let outcome = PublishOutcome::RetryAt(world.now().plus(LEASE));
        store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
        store.change_post(&claimed.post.id, change, world.moment()).await.unwrap().unwrap();
        let removal = removals(&world).await.remove(0);
        assert_eq!((&removal.article_id, removal.folder.as_str()), (&article.id, "notes"), "{change:?}");
        store.record_removal(&removal).await.unwrap();
    }
}

/// Makes the removal of an article's files due, in this order of the folders.
async fn remove_from(world: &World, folders: &[&str]) {
    let article_id = write(world).await.id;
    for (due_at, folder) in folders.iter().enumerate() {
        world.execute(&format!(
            "INSERT INTO published_files (article_id, folder, remove_at) VALUES ('{article_id}', '{folder}', {due_at})"
        ));
    }
}

/// Removes files below `root` until `stop` is cancelled.
fn remove_files(world: &Arc<World>, root: &TempDir, stop: &CancellationToken) -> impl Future<Output = ()> + use<> {
    let clock = Arc::new(WorldClock(Arc::clone(world)));
    let directory = Directory::new(root.path().to_owned(), Arc::clone(&clock) as _).unwrap();
    FileRemovals::new(world.store.clone(), clock, directory).run(stop.clone())
}

pub(crate) async fn a_removal_from_a_folder_with_an_invalid_name_waits_like_any_other_that_failed(world: World) {
    remove_from(&world, &["Invalid"]).await;
    let (world, root, stop) = (Arc::new(world), tempfile::tempdir().unwrap(), CancellationToken::new());
    let meanwhile = async {
        until("the removal is postponed", async || removals(&world).await.is_empty()).await;
        stop.cancel();
    };
    tokio::join!(remove_files(&world, &root, &stop), meanwhile);
    world.advance(Duration::from_mins(1));
    assert_eq!(removals(&world).await.len(), 1);
}

pub(crate) async fn a_server_that_stops_begins_no_removal(world: World) {
    remove_from(&world, &["first", "second", "third"]).await;
    let (world, root, stop) = (Arc::new(world), tempfile::tempdir().unwrap(), CancellationToken::new());
    let lock_file = |folder: &str| root.path().join(format!(".contentgen-{folder}.website"));
    // The second removal waits for this lock.
    let lock = File::create(lock_file("second")).unwrap();
    lock.lock().unwrap();
    let meanwhile = async {
        until("the first file is being removed", async || lock_file("first").exists()).await;
        stop.cancel();
        lock.unlock().unwrap();
    };
    tokio::join!(remove_files(&world, &root, &stop), meanwhile);
    assert_eq!(removals(&world).await.pop().map(|removal| removal.folder).as_deref(), Some("third"));
}
