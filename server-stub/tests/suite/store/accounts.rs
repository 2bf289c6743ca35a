//! Promises about accounts, websites, voices and keys.

use contentgen_server_stub::domain::account::{Account, WebsiteStatus};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::key::{ApiKey, KeyQuotas, Permission, Quota, Secret, SecretHash};
use contentgen_server_stub::domain::store::Error;
use contentgen_server_stub::domain::voice::BrandVoice;
use contentgen_server_stub::randomness::SystemRandomness;

use super::world::World;

fn key(world: &World, account_id: &str) -> ApiKey {
    let secret = Secret::generate(&SystemRandomness);
    ApiKey {
        id: id::new(Kind::ApiKey, world.now(), &SystemRandomness),
        account_id: account_id.to_owned(),
        name: "key".to_owned(),
        secret_hash: SecretHash::of(secret.reveal()),
        last4: secret.last4(),
        permissions: vec![Permission::GenerateWrite, Permission::LeadsRead],
        website_ids: Some(vec![world.website_id.clone()]),
        quotas: KeyQuotas { generate: Some(Quota { requests: 2, window_seconds: 2 }), api: None },
        created_at: world.now(),
        expires_at: Some(world.now().plus_millis(1000)),
        revoked_at: None,
    }
}

pub(crate) async fn an_account_is_found_by_name_and_id_and_its_name_is_taken(world: World) {
    let found = world.store.find_account("first").await.unwrap().unwrap();
    assert_eq!(world.store.find_account(&found.id).await.unwrap(), Some(found.clone()));
    assert_eq!(world.store.find_account("second").await.unwrap(), None);
    let twin = Account { id: id::new(Kind::Account, world.now(), &SystemRandomness), ..found };
    assert!(matches!(world.store.create_account(&twin).await, Err(Error::AlreadyExists)));
}

pub(crate) async fn records_read_back_as_they_were_stored(world: World) {
    let paused = world.website("web_paused", WebsiteStatus::Paused);
    world.store.create_website(&paused).await.unwrap();
    assert_eq!(world.store.find_website("web_paused").await.unwrap(), Some(paused));
    let key = key(&world, &world.account_id);
    world.store.create_key(&key).await.unwrap();
    assert_eq!(world.store.find_key(key.secret_hash).await.unwrap(), Some(key));
    assert_eq!(world.store.find_key(SecretHash::of("other")).await.unwrap(), None);
}

pub(crate) async fn a_website_of_an_unknown_account_is_refused(world: World) {
    let mut website = world.website("web_2", WebsiteStatus::Active);
    "acct_none".clone_into(&mut website.account_id);
    assert!(matches!(world.store.create_website(&website).await, Err(Error::MissingReference)));
}

pub(crate) async fn a_key_needs_an_active_website(world: World) {
    let account = Account { id: "acct_2".to_owned(), name: "second".to_owned(), created_at: world.now() };
    world.store.create_account(&account).await.unwrap();
    assert!(matches!(world.store.create_key(&key(&world, "acct_2")).await, Err(Error::WebsiteRequired)));
    let mut website = world.website("web_2", WebsiteStatus::Paused);
    "acct_2".clone_into(&mut website.account_id);
    world.store.create_website(&website).await.unwrap();
    assert!(matches!(world.store.create_key(&key(&world, "acct_2")).await, Err(Error::WebsiteRequired)));
}

pub(crate) async fn an_account_has_at_most_twenty_live_keys(world: World) {
    for _ in 0..20 {
        world.store.create_key(&key(&world, &world.account_id)).await.unwrap();
    }
    let one_more = world.store.create_key(&key(&world, &world.account_id)).await;
    assert!(matches!(one_more, Err(Error::LimitReached { limit: 20, .. })));
    // All of them expire after a second, and then they do not count.
    world.advance(std::time::Duration::from_secs(1));
    world.store.create_key(&key(&world, &world.account_id)).await.unwrap();
}

pub(crate) async fn a_job_is_written_in_the_websites_voice_or_the_accounts_default(world: World) {
    let voice = |name: &str, is_default| BrandVoice {
        id: format!("voice_{name}"),
        name: name.to_owned(),
        is_default,
        ..BrandVoice::default()
    };
    world.queue(world.submission("without any profile")).await;
    assert_eq!(world.claim().await[0].voice, BrandVoice::default());

    world.store.put_voice(&world.account_id, &world.saved(&voice("old", true))).await.unwrap();
    world.store.put_voice(&world.account_id, &world.saved(&voice("new", true))).await.unwrap();
    world.store.put_voice(&world.account_id, &world.saved(&voice("own", false))).await.unwrap();
    world.queue(world.submission("with a default")).await;
    assert_eq!(world.claim().await[0].voice.name, "new");

    let mut website = world.website("web_own", WebsiteStatus::Active);
    website.brand_voice_id = Some("voice_own".to_owned());
    world.store.create_website(&website).await.unwrap();
    let mut submission = world.submission("with its own");
    "web_own".clone_into(&mut submission.job.website_id);
    world.queue(submission).await;
    assert_eq!(world.claim().await[0].voice.name, "own");
}

pub(crate) async fn the_token_secret_is_made_once(world: World) {
    let secret = world.store.token_secret().await.unwrap();
    assert_ne!(secret, [0; 32]);
    assert_eq!(world.store.token_secret().await.unwrap(), secret);
    world.store.check().await.unwrap();
}
