//! Promises about accounts, websites, voices and keys.

use contentgen_server_stub::domain::account::{Account, MAX_WEBSITES, Website, WebsiteStatus};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::key::{ApiKey, ApiScope, KeyQuotas, KeyState, Quota, Secret, SecretHash};
use contentgen_server_stub::domain::lead_form::{
    DEFAULT_CONSENT_TEXT, FORMER_CONSENT_TEXT_VALID_FOR, LeadForm, MAX_FORMER_CONSENT_TEXTS,
};
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::store::{Error, KeyFilter, PageKey, PageRequest, WebsiteFilter};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::domain::voice::BrandVoice;
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::join_all;

use super::world::World;

fn key(world: &World, account_id: &str) -> ApiKey {
    let secret = Secret::generate(&SystemRandomness);
    ApiKey {
        id: id::new(Kind::ApiKey, world.now(), &SystemRandomness),
        account_id: account_id.to_owned(),
        name: "key".to_owned(),
        secret_hash: SecretHash::of(secret.reveal()),
        last4: secret.last4(),
        scopes: vec![ApiScope::GenerateWrite, ApiScope::LeadsRead],
        website_ids: Some(vec![world.website_id.clone()]),
        quotas: KeyQuotas { generate: Some(Quota { requests: 2, window_seconds: 2 }), api: None },
        created_at: world.now(),
        expires_at: Some(world.now().plus_millis(1000)),
        revoked_at: None,
        last_used_at: Some(world.now()),
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

pub(crate) async fn who_saves_the_settings_of_a_website_leaves_its_state_and_the_other_way_round(world: World) {
    let read = async || world.store.find_website(&world.website_id).await.unwrap().unwrap();
    let former = read().await;
    assert!(world.store.set_website_status(&world.website_id, WebsiteStatus::Paused, world.now()).await.unwrap());
    let saved = Website { name: "Another name".to_owned(), status: WebsiteStatus::Active, ..former.clone() };
    assert!(world.store.update_website(&former, &saved).await.unwrap());
    assert_eq!(read().await, Website { status: WebsiteStatus::Paused, ..saved.clone() });
    // A user who opened the former settings does not replace the new ones.
    let own = Website { language: "de".to_owned(), ..former.clone() };
    assert!(!world.store.update_website(&former, &own).await.unwrap());
    assert_eq!(read().await, Website { status: WebsiteStatus::Paused, ..saved.clone() });
    assert!(world.store.set_website_status(&world.website_id, WebsiteStatus::Archived, world.now()).await.unwrap());
    let archived = read().await;
    assert_eq!((archived.name.as_str(), archived.status), ("Another name", WebsiteStatus::Archived));
    assert!(!world.store.set_website_status("web_none", WebsiteStatus::Active, world.now()).await.unwrap());
}

pub(crate) async fn a_consent_text_that_was_replaced_is_known_for_a_while(world: World) {
    let form = |text: Option<&str>| LeadForm { consent_text: text.map(str::to_owned), ..LeadForm::default() };
    let begin = world.now();
    let at = |millis| begin.plus_millis(millis);
    let set = async |text: Option<&str>, millis: i64| {
        assert!(world.store.set_lead_form(&world.website_id, &form(text), at(millis)).await.unwrap());
    };
    let is_former =
        async |text: &str, since| world.store.is_former_consent_text(&world.website_id, text, at(since)).await.unwrap();
    assert!(!is_former(DEFAULT_CONSENT_TEXT, 0).await);
    set(Some("First."), 1).await;
    // Before that, forms showed the default text of the service.
    assert!(is_former(DEFAULT_CONSENT_TEXT, 1).await && !is_former("First.", 0).await);
    set(Some("First."), 2).await;
    assert!(!is_former("First.", 0).await, "nothing replaced it");
    let website = world.store.find_website(&world.website_id).await.unwrap().unwrap();
    assert_eq!(website.lead_form, form(Some("First.")));
    let saved = Website { lead_form: form(Some("Second.")), updated_at: at(3), ..website };
    assert!(world.update_website(&saved).await);
    assert!(is_former("First.", 3).await && !is_former("First.", 4).await && !is_former("Second.", 0).await);
    assert!(!world.store.is_former_consent_text("web_none", "First.", begin).await.unwrap());
    assert!(!world.store.set_lead_form("web_none", &form(None), begin).await.unwrap());

    // Texts that are too old, or too many, are not kept.
    for number in 0..MAX_FORMER_CONSENT_TEXTS {
        set(Some(&format!("Number {number}.")), 10 + i64::from(number)).await;
    }
    assert!(is_former("Second.", 0).await && !is_former("First.", 0).await);
    let week = i64::try_from(FORMER_CONSENT_TEXT_VALID_FOR.as_millis()).unwrap();
    set(None, 11 + week).await;
    assert!(!is_former("Second.", 0).await && is_former("Number 0.", 0).await);
}

pub(crate) async fn a_website_of_an_unknown_account_is_refused(world: World) {
    let mut website = world.website("web_2", WebsiteStatus::Active);
    "acct_none".clone_into(&mut website.account_id);
    assert!(matches!(world.store.create_website(&website).await, Err(Error::MissingReference)));
}

pub(crate) async fn an_account_has_at_most_a_thousand_websites_even_when_they_are_made_at_once(world: World) {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let all = PageRequest { after: None, limit: MAX_WEBSITES };
    let there = world.store.list_websites(&visibility, &WebsiteFilter::default(), &all).await.unwrap().len();
    let websites: Vec<_> = (0..MAX_WEBSITES as usize - there + 3)
        .map(|number| world.website(&format!("web_{number:04}_more"), WebsiteStatus::Active))
        .collect();
    let outcomes = join_all(websites.iter().map(|website| world.store.create_website(website))).await;
    let is_limit = |outcome: &Result<(), Error>| matches!(outcome, Err(Error::LimitReached { limit: 1000, .. }));
    assert_eq!(outcomes.iter().filter(|outcome| is_limit(outcome)).count(), 3);
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), outcomes.len() - 3);
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

pub(crate) async fn an_account_makes_at_most_fifty_keys_within_a_day(world: World) {
    let create = async || {
        let key = key(&world, &world.account_id);
        world.store.create_key(&key).await?;
        assert!(world.store.revoke_key(&world.account_id, &key.id, world.now()).await?);
        Ok::<_, Error>(())
    };
    create().await.unwrap();
    world.advance(std::time::Duration::from_hours(1));
    for _ in 1..50 {
        create().await.unwrap();
    }
    let one_more = create().await;
    assert!(matches!(one_more, Err(Error::LimitReached { limit: 50, .. })), "{one_more:?}");
    world.advance(std::time::Duration::from_hours(23));
    create().await.unwrap();
    assert!(create().await.is_err());
}

pub(crate) async fn keys_are_listed_by_state_and_name(world: World) {
    let mut ids = Vec::new();
    for (name, expires_in) in
        [("Shop", None), ("50% off, cafe\u{301}", Some(1000)), ("Shop, old", Some(1000)), ("shop 2", Some(9000))]
    {
        world.advance(std::time::Duration::from_millis(1));
        let expires_at = expires_in.map(|millis| world.now().plus_millis(millis));
        let key = ApiKey { name: name.to_owned(), expires_at, ..key(&world, &world.account_id) };
        world.store.create_key(&key).await.unwrap();
        ids.push(key.id);
    }
    assert!(world.store.revoke_key(&world.account_id, &ids[0], world.now()).await.unwrap());
    world.advance(std::time::Duration::from_secs(2));
    let now = world.now();
    let list = async |state: Option<KeyState>, typed: &str| {
        let filter = KeyFilter { state: state.map(|state| (state, now)), search: Search::parse(typed) };
        let page = PageRequest { after: None, limit: 100 };
        let keys = world.store.list_keys(&world.account_id, &filter, &page).await.unwrap();
        assert!(keys.iter().all(|key| state.is_none_or(|state| key.state(now) == state)));
        keys.into_iter().map(|key| ids.iter().position(|id| *id == key.id).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(list(None, "").await, [3, 2, 1, 0]);
    assert_eq!(list(Some(KeyState::Live), "").await, [3]);
    assert_eq!(list(Some(KeyState::Expired), "").await, [2, 1]);
    assert_eq!(list(Some(KeyState::Revoked), "").await, [0]);
    assert_eq!(list(None, "SHOP").await, [3, 2, 0]);
    assert_eq!(list(Some(KeyState::Expired), "shop").await, [2]);
    assert_eq!(list(None, "0%").await, [1]);
    assert_eq!(list(None, "caf\u{e9}").await, [1]);
    let first = PageRequest { after: None, limit: 3 };
    let keys = world.store.list_keys(&world.account_id, &KeyFilter::default(), &first).await.unwrap();
    let after = Some(PageKey { time: keys[2].created_at, id: keys[2].id.clone() });
    let rest = PageRequest { after, limit: 3 };
    let keys = world.store.list_keys(&world.account_id, &KeyFilter::default(), &rest).await.unwrap();
    assert_eq!(keys.into_iter().map(|key| key.id).collect::<Vec<_>>(), [ids[0].clone()]);
    assert_eq!(world.store.list_keys("acct_2", &KeyFilter::default(), &first).await.unwrap(), []);
}

pub(crate) async fn a_revoked_key_stays_revoked_and_leaves_room_for_another(world: World) {
    let mut keys = Vec::new();
    for _ in 0..20 {
        let key = key(&world, &world.account_id);
        world.store.create_key(&key).await.unwrap();
        keys.push(key);
    }
    let id = &keys[0].id;
    assert!(!world.store.revoke_key("acct_2", id, world.now()).await.unwrap());
    assert_eq!(world.store.find_key_by_id("acct_2", id).await.unwrap(), None);
    assert_eq!(world.store.find_key_by_id(&world.account_id, id).await.unwrap(), Some(keys[0].clone()));
    // Read the key once before, so that a cache may contain it.
    assert!(world.store.find_key(keys[0].secret_hash).await.unwrap().unwrap().is_live(world.now()));
    let revoked_at = world.now();
    assert!(world.store.revoke_key(&world.account_id, id, revoked_at).await.unwrap());
    world.advance(std::time::Duration::from_millis(1));
    assert!(!world.store.revoke_key(&world.account_id, id, world.now()).await.unwrap());
    let found = world.store.find_key(keys[0].secret_hash).await.unwrap().unwrap();
    assert_eq!((found.revoked_at, found.is_live(world.now())), (Some(revoked_at), false));
    world.store.create_key(&key(&world, &world.account_id)).await.unwrap();
    assert!(matches!(world.store.create_key(&keys[0]).await, Err(Error::LimitReached { .. })));
    assert!(world.store.revoke_key(&world.account_id, &keys[1].id, world.now()).await.unwrap());
    assert!(matches!(world.store.create_key(&keys[0]).await, Err(Error::AlreadyExists)));
}

pub(crate) async fn the_last_use_of_a_key_is_kept(world: World) {
    let (used, unused) = (key(&world, &world.account_id), key(&world, &world.account_id));
    for key in [&used, &unused] {
        world.store.create_key(&ApiKey { last_used_at: None, ..key.clone() }).await.unwrap();
    }
    let at = world.now().plus_millis(5);
    let uses = [(used.id.clone(), at), ("key_none".to_owned(), at)];
    world.store.note_key_uses(&uses).await.unwrap();
    // A use that another process records later is older.
    world.store.note_key_uses(&[(used.id.clone(), at.plus_millis(-1))]).await.unwrap();
    world.store.note_key_uses(&[]).await.unwrap();
    let read = async |id: &str| world.store.find_key_by_id(&world.account_id, id).await.unwrap().unwrap().last_used_at;
    assert_eq!((read(&used.id).await, read(&unused.id).await), (Some(at), None));
}

pub(crate) async fn an_account_shows_any_name_and_is_found_by_its_first(world: World) {
    let second = Account { id: "acct_2".to_owned(), name: "second".to_owned(), created_at: world.now() };
    world.store.create_account(&second).await.unwrap();
    assert!(world.store.rename_account(&second, "first").await.unwrap());
    assert!(!world.store.rename_account(&second, "third").await.unwrap(), "it has another name now");
    assert_eq!(world.store.find_account("second").await.unwrap().unwrap().id, "acct_2");
    assert_eq!(world.store.find_account("first").await.unwrap().unwrap().id, world.account_id);
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
