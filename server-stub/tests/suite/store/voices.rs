//! Brand DNA profiles: their versions, the account's default, and conditions for removing one.

use contentgen_server_stub::domain::account::{Account, WebsiteStatus};
use contentgen_server_stub::domain::audit::{Action, Actor, AuditEntry};
use contentgen_server_stub::domain::store::{AuditFilter, Error, MAX_VOICES, PageRequest, VoiceRemoval};
use contentgen_server_stub::domain::voice::BrandVoice;
use contentgen_server_stub::randomness::SystemRandomness;

use super::world::World;

fn voice(name: &str) -> BrandVoice {
    BrandVoice { id: format!("voice_{name}"), name: name.to_owned(), is_default: false, ..BrandVoice::default() }
}

/// Returns the profile's next version, for another audience.
fn next(voice: &BrandVoice, audience: &str) -> BrandVoice {
    BrandVoice { version: voice.version + 1, audience: audience.to_owned(), ..voice.clone() }
}

async fn put(world: &World, voice: &BrandVoice) -> bool {
    world.store.put_voice(&world.account_id, &world.saved(voice)).await.unwrap()
}

async fn found(world: &World, voice: &BrandVoice) -> BrandVoice {
    world.store.find_voice(&world.account_id, &voice.id).await.unwrap().unwrap().profile
}

async fn versions(world: &World, voice: &BrandVoice, before: Option<u32>) -> Vec<u32> {
    let versions = world.store.list_voice_versions(&world.account_id, &voice.id, before, 2).await.unwrap();
    versions.iter().map(|saved| saved.profile.version).collect()
}

async fn other_account(world: &World) -> String {
    let other = Account { id: "acct_other".to_owned(), name: "other".to_owned(), created_at: world.now() };
    world.store.create_account(&other).await.unwrap();
    other.id
}

pub(crate) async fn every_version_of_a_profile_is_kept_and_none_is_overwritten(world: World) {
    let first = voice("a");
    assert!(put(&world, &first).await);
    assert!(!put(&world, &first).await, "the same version again");
    world.advance(std::time::Duration::from_secs(1));
    let second = next(&first, "bakers");
    let saved_at = world.now();
    assert!(put(&world, &second).await);
    assert!(!put(&world, &next(&first, "somebody else's")).await, "a version that was saved meanwhile");
    assert!(!put(&world, &next(&next(&second, "x"), "too far")).await, "a version is left out");
    assert!(!put(&world, &next(&voice("unknown"), "x")).await, "a second version without a first");
    let third = next(&second, "riders");
    assert!(put(&world, &third).await);
    assert_eq!(found(&world, &first).await, third);
    assert_eq!(versions(&world, &first, None).await, [3, 2]);
    assert_eq!(versions(&world, &first, Some(2)).await, [1]);
    let kept = world.store.find_voice_version(&world.account_id, &first.id, 2).await.unwrap().unwrap();
    assert_eq!((kept.profile, kept.saved_at, kept.saved_by.as_str()), (second, saved_at, "somebody@example.com"));
    assert_eq!(world.store.find_voice_version(&world.account_id, &first.id, 9).await.unwrap(), None);
}

pub(crate) async fn a_version_and_its_entry_in_the_trail_are_written_together_or_not_at_all(world: World) {
    let voice = voice("a");
    let record = |action| {
        let change = (action, Some(voice.id.as_str()));
        world.store.audited(AuditEntry::new(
            &world.account_id,
            &Actor::Operator,
            change,
            None,
            world.now(),
            &SystemRandomness,
        ))
    };
    let saved = world.saved(&voice);
    assert!(record(Action::VoiceSaved).put_voice(&world.account_id, &saved).await.unwrap());
    assert!(!record(Action::VoiceSaved).put_voice(&world.account_id, &saved).await.unwrap());
    assert!(record(Action::VoiceMadeDefault).make_default_voice(&world.account_id, &voice.id).await.unwrap());
    assert!(!record(Action::VoiceMadeDefault).make_default_voice(&world.account_id, &voice.id).await.unwrap());
    let refused = record(Action::VoiceRemoved).remove_voice(&world.account_id, &voice.id).await.unwrap();
    assert_eq!(refused, VoiceRemoval::IsDefault);
    let page = PageRequest { after: None, limit: 10 };
    let trail = world.store.list_audit_entries(&world.account_id, &AuditFilter::default(), &page).await.unwrap();
    let mut actions: Vec<_> = trail.iter().map(|entry| entry.action.as_str()).collect();
    actions.sort_unstable();
    assert_eq!(actions, ["voice.made_default", "voice.saved"]);
}

pub(crate) async fn one_profile_is_the_default_whoever_was_before(world: World) {
    let (old, new) = (BrandVoice { is_default: true, ..voice("old") }, BrandVoice { is_default: true, ..voice("new") });
    put(&world, &old).await;
    put(&world, &new).await;
    assert!(!found(&world, &old).await.is_default && found(&world, &new).await.is_default);
    // A new version is the default only if its profile is, even if the form showed something else.
    assert!(put(&world, &next(&old, "x")).await);
    assert!(!found(&world, &old).await.is_default);
    assert!(world.store.make_default_voice(&world.account_id, &old.id).await.unwrap());
    assert!(!world.store.make_default_voice(&world.account_id, &old.id).await.unwrap());
    assert!(found(&world, &old).await.is_default && !found(&world, &new).await.is_default);
    world.queue(world.submission("topic")).await;
    assert_eq!(world.claim().await[0].voice.name, "old");
    assert_eq!(versions(&world, &old, None).await, [2, 1], "being the default is no version");
}

pub(crate) async fn a_profile_that_a_website_uses_is_not_removed(world: World) {
    let (house, own) = (BrandVoice { is_default: true, ..voice("house") }, voice("own"));
    put(&world, &house).await;
    put(&world, &own).await;
    put(&world, &next(&own, "x")).await;
    let mut website = world.website("web_own", WebsiteStatus::Active);
    website.brand_voice_id = Some(own.id.clone());
    world.store.create_website(&website).await.unwrap();
    let uses = world.store.list_voice_uses(&world.account_id).await.unwrap();
    assert!(uses.iter().any(|one| one.website_id == "web_own" && one.voice_id.as_ref() == Some(&own.id)));
    assert!(uses.iter().any(|one| one.website_id == world.website_id && one.voice_id.is_none()));
    let remove = async |id: &str| world.store.remove_voice(&world.account_id, id).await;
    assert_eq!(remove(&own.id).await.unwrap(), VoiceRemoval::InUse);
    assert_eq!(remove(&house.id).await.unwrap(), VoiceRemoval::IsDefault);
    assert_eq!(remove("voice_none").await.unwrap(), VoiceRemoval::NotFound);
    assert_eq!(found(&world, &own).await.version, 2);
    website.brand_voice_id = None;
    assert!(world.update_website(&website).await);
    assert_eq!(remove(&own.id).await.unwrap(), VoiceRemoval::Done);
    assert_eq!(world.store.find_voice(&world.account_id, &own.id).await.unwrap(), None);
    assert!(versions(&world, &own, None).await.is_empty());
    assert!(!put(&world, &next(&next(&own, "x"), "y")).await, "saved after it was removed");
}

pub(crate) async fn a_profile_of_another_account_is_neither_seen_nor_changed(world: World) {
    let (other, own) = (other_account(&world).await, BrandVoice { is_default: true, ..voice("own") });
    put(&world, &own).await;
    let second = next(&own, "x");
    put(&world, &second).await;
    let store = &world.store;
    assert_eq!(store.find_voice(&other, &own.id).await.unwrap(), None);
    assert!(store.list_voices(&other).await.unwrap().is_empty());
    assert!(store.list_voice_versions(&other, &own.id, None, 9).await.unwrap().is_empty());
    assert_eq!(store.find_voice_version(&other, &own.id, 1).await.unwrap(), None);
    assert!(store.list_voice_uses(&other).await.unwrap().is_empty());
    assert!(!store.make_default_voice(&other, &own.id).await.unwrap());
    assert_eq!(store.remove_voice(&other, &own.id).await.unwrap(), VoiceRemoval::NotFound);
    assert!(!store.put_voice(&other, &world.saved(&next(&second, "theirs"))).await.unwrap());
    assert!(matches!(store.put_voice(&other, &world.saved(&own)).await, Err(Error::AlreadyExists)));
    assert_eq!(found(&world, &own).await, second);
}

pub(crate) async fn an_account_has_at_most_fifty_profiles(world: World) {
    for number in 0..MAX_VOICES {
        assert!(put(&world, &voice(&number.to_string())).await);
        world.advance(std::time::Duration::from_millis(1));
    }
    let one_more = world.store.put_voice(&world.account_id, &world.saved(&voice("more"))).await;
    assert!(matches!(one_more, Err(Error::LimitReached { limit: MAX_VOICES, .. })));
    assert!(put(&world, &next(&voice("7"), "x")).await, "a version is no profile");
    let listed = world.store.list_voices(&world.account_id).await.unwrap();
    assert_eq!((listed.len(), listed[0].profile.name.as_str()), (MAX_VOICES, "7"));
    assert_eq!(listed[1].profile.name, "49");
}
