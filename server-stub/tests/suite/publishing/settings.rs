//! Settings of a website's publishing target.

use contentgen_server_stub::app::{AdminError, PublishTo, WebsiteSettings};
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::audit::Action;
use contentgen_server_stub::domain::publishing_target::{FrontMatter, PublishingTarget};
use contentgen_server_stub::domain::store::AuditFilter;

use super::world::World;

fn push(url: &str, wants_new_secret: bool) -> PublishTo {
    PublishTo::Push { url: url.to_owned(), wants_new_secret }
}

fn directory(folder: &str) -> PublishTo {
    PublishTo::Directory { folder: folder.to_owned(), front_matter: FrontMatter::Yaml }
}

#[tokio::test]
async fn a_secret_is_told_once_and_stays_until_another_one_is_asked_for() {
    let world = World::start().await;
    let first = world.publish_to(push("http://127.0.0.1:9/?token=hush", false)).await.unwrap();
    assert_eq!(world.publish_to(push("http://127.0.0.1:9/other", false)).await, None);
    let stored = world.running.app().publishing_target(&world.account, &world.website_id).await.unwrap();
    let PublishingTarget::Push { url, secret } = stored else { panic!("{stored:?}") };
    assert_eq!((url.as_str(), secret.unwrap()), ("http://127.0.0.1:9/other", first.clone()));
    let second = world.publish_to(push("http://127.0.0.1:9/other", true)).await.unwrap();
    assert_ne!(first, second);
    world.publish_to(PublishTo::Hosted).await;
    assert_ne!(world.publish_to(push("http://127.0.0.1:9/other", false)).await.unwrap(), second);
    assert!(!format!("{first:?}").contains(&first.reveal()));
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn only_destinations_that_hooks_may_have_are_taken() {
    let world = World::start().await;
    for url in ["http://10.0.0.1/x", "https://169.254.169.254/", "ftp://example.com", "https://u:p@example.com/", "x"] {
        let set = world.try_publish_to(push(url, false)).await;
        assert!(matches!(set, Err(AdminError::PushAddress(_))), "{url}: {set:?}");
    }
    let stored = world.running.app().publishing_target(&world.account, &world.website_id).await.unwrap();
    assert!(stored.is_hosted());
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn no_folder_leads_elsewhere_and_none_is_shared() {
    let world = World::start().await;
    let app = world.running.app();
    for folder in ["", "..", "../x", "/etc", "a/b", "A", ".hidden", "a\0b"] {
        let set = world.try_publish_to(directory(folder)).await;
        assert!(matches!(set, Err(AdminError::Invalid { .. })), "{folder}: {set:?}");
    }
    world.publish_to(directory("posts")).await;
    // Setting it a second time is not an error.
    world.publish_to(directory("posts")).await;
    let other = app.account(&world.running.accounts()[1].name).await.unwrap();
    let settings = WebsiteSettings {
        name: "Other".to_owned(),
        url: "https://other.example".to_owned(),
        ..WebsiteSettings::default()
    };
    let website = app.create_website(&other, settings, WebsiteStatus::Active).await.unwrap();
    let set =
        app.set_publishing_target(&other, &website.website_id, &PublishingTarget::Hosted, directory("posts")).await;
    assert!(matches!(set, Err(AdminError::FolderTaken)), "{set:?}");
    // A website keeps its files when it publishes elsewhere, and may return to them.
    world.published(&world.write("Rye").await).await;
    world.publish_to(PublishTo::Hosted).await;
    let set =
        app.set_publishing_target(&other, &website.website_id, &PublishingTarget::Hosted, directory("posts")).await;
    assert!(matches!(set, Err(AdminError::FolderTaken)), "{set:?}");
    world.publish_to(directory("posts")).await;
    // A website of another account does not exist for the caller.
    let foreign =
        app.set_publishing_target(&other, &world.website_id, &PublishingTarget::Hosted, PublishTo::Hosted).await;
    assert!(matches!(foreign, Err(AdminError::WebsiteNotFound(_))), "{foreign:?}");
    assert!(app.publishing_target(&other, &world.website_id).await.is_err());
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn the_audit_trail_tells_the_receiver_and_nothing_else_of_the_address() {
    let world = World::start().await;
    world.publish_to(push("http://127.0.0.1:9/hush?token=hush", false)).await;
    let filter = AuditFilter { action: Some(Action::WebsiteChanged), ..AuditFilter::default() };
    let entries = world.running.app().audit_entries(&world.account, &filter, None).await.unwrap();
    let detail = entries.items[0].detail.as_deref().unwrap().clone();
    assert_eq!(detail, "publishing by requests to http://127.0.0.1:9");
    assert!(world.running.stop().await);
}
