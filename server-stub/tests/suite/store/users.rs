//! Promises about users of the dashboard: adding, removing, signing in, and counting attempts.

use std::time::Duration;

use contentgen_server_stub::domain::account::Account;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::sign_in::{AttemptSubject, FAILURE_MEMORY};
use contentgen_server_stub::domain::store::{Error, SessionOpening};
use contentgen_server_stub::domain::user::{
    BearerToken, MAX_SESSIONS, PasswordHash, SIGN_IN_LINK_LIFETIME, Session, TokenHash, User,
};
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::join_all;

use super::world::World;

/// Returns a user who is not stored yet.
pub(super) fn user(world: &World, email: &str) -> User {
    User {
        id: id::new(Kind::User, world.now(), &SystemRandomness),
        account_id: world.account_id.clone(),
        email: email.to_owned().into(),
        password_hash: None,
        created_at: world.now(),
        last_sign_in_at: None,
    }
}

/// Adds a user to the account.
pub(super) async fn added(world: &World, email: &str) -> User {
    let user = user(world, email);
    world.store.create_user(&user).await.unwrap();
    user
}

fn token() -> TokenHash {
    BearerToken::generate(&SystemRandomness).hash()
}

/// Returns a session to open, and its token.
pub(super) fn opening(world: &World, user: &User, link: Option<TokenHash>) -> SessionOpening {
    let now = world.now();
    let session = Session {
        id: id::new(Kind::Session, now, &SystemRandomness),
        user_id: user.id.clone(),
        browser: "Firefox".to_owned().into(),
        created_at: now,
        last_seen_at: now,
        expires_at: now.plus(Duration::from_hours(720)),
        can_reset: link.is_some(),
        confirmed_at: None,
    };
    SessionOpening { session, token: token(), former: token(), link, password: None, subjects: Vec::new() }
}

async fn signed_in(world: &World, user: &User) -> SessionOpening {
    let opening = opening(world, user, None);
    assert!(world.store.open_session(opening.clone()).await.unwrap());
    opening
}

async fn linked(world: &World, user: &User) -> TokenHash {
    let link = token();
    let expires_at = world.now().plus(SIGN_IN_LINK_LIFETIME);
    world.store.create_sign_in_link(&user.id, link, expires_at, "operator").await.unwrap();
    link
}

/// Returns the user of a link, if it is valid.
async fn link_user(world: &World, link: TokenHash) -> Option<User> {
    let found = world.store.find_sign_in_link(link, world.now()).await.unwrap()?;
    assert_eq!(found.made_by.as_str(), "operator");
    Some(found.user)
}

pub(crate) async fn users_are_found_by_their_address_and_listed_in_their_order(world: World) {
    let ada = added(&world, "ada@example.com").await;
    world.advance(Duration::from_millis(1));
    let bob = User { password_hash: Some(PasswordHash("$x$".to_owned())), ..user(&world, "bob@example.com") };
    world.store.create_user(&bob).await.unwrap();
    assert_eq!(world.store.find_users("ada@example.com").await.unwrap(), [], "without a password");
    assert_eq!(world.store.find_users("bob@example.com").await.unwrap(), std::slice::from_ref(&bob));
    assert_eq!(world.store.list_users(&world.account_id).await.unwrap(), [ada, bob]);
    assert_eq!(world.store.list_users("acct_other").await.unwrap(), []);
}

pub(crate) async fn an_address_is_used_once_in_each_account(world: World) {
    added(&world, "ada@example.com").await;
    let account = Account { id: "acct_2".to_owned(), name: "second".to_owned(), created_at: world.now() };
    world.store.create_account(&account).await.unwrap();
    let twin = User { account_id: account.id, ..user(&world, "ada@example.com") };
    world.store.create_user(&twin).await.unwrap();
    let again = User { account_id: world.account_id.clone(), ..user(&world, "ada@example.com") };
    assert!(matches!(world.store.create_user(&again).await, Err(Error::AlreadyExists)));
    let stray = User { account_id: "acct_none".to_owned(), ..user(&world, "stray@example.com") };
    assert!(matches!(world.store.create_user(&stray).await, Err(Error::MissingReference)));
}

pub(crate) async fn an_account_has_at_most_twenty_users_even_when_they_are_added_at_once(world: World) {
    let users: Vec<_> = (0..24).map(|number| user(&world, &format!("user{number}@example.com"))).collect();
    let outcomes = join_all(users.iter().map(|user| world.store.create_user(user))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 20);
    let is_limit = |outcome: &Result<(), Error>| matches!(outcome, Err(Error::LimitReached { limit: 20, .. }));
    assert_eq!(outcomes.iter().filter(|outcome| is_limit(outcome)).count(), 4);
    assert_eq!(world.store.list_users(&world.account_id).await.unwrap().len(), 20);
}

pub(crate) async fn a_new_link_ends_the_former_ones_of_its_user(world: World) {
    let (ada, bob) = (added(&world, "ada@example.com").await, added(&world, "bob@example.com").await);
    let (former, other) = (linked(&world, &ada).await, linked(&world, &bob).await);
    let link = linked(&world, &ada).await;
    assert_eq!(link_user(&world, former).await, None);
    assert!(!world.store.open_session(opening(&world, &ada, Some(former))).await.unwrap());
    assert_eq!(link_user(&world, link).await, Some(ada));
    assert_eq!(link_user(&world, other).await, Some(bob));
}

pub(crate) async fn a_user_is_removed_with_sessions_and_links(world: World) {
    let (ada, bob) = (added(&world, "ada@example.com").await, added(&world, "bob@example.com").await);
    let (session, kept) = (signed_in(&world, &ada).await, signed_in(&world, &bob).await);
    let link = linked(&world, &ada).await;
    assert!(world.store.remove_user(&ada.id).await.unwrap());
    assert!(!world.store.remove_user(&ada.id).await.unwrap());
    assert_eq!(world.store.find_session(session.token).await.unwrap(), None);
    assert_eq!(link_user(&world, link).await, None);
    assert!(!world.store.open_session(opening(&world, &ada, None)).await.unwrap());
    assert!(world.store.find_session(kept.token).await.unwrap().is_some());
}

pub(crate) async fn the_last_user_of_an_account_stays_even_when_all_are_removed_at_once(world: World) {
    let mut users = Vec::new();
    for number in 0..8 {
        users.push(added(&world, &format!("user{number}@example.com")).await);
    }
    let outcomes = join_all(users.iter().map(|user| world.store.remove_user(&user.id))).await;
    assert_eq!(outcomes.into_iter().filter(|outcome| *outcome.as_ref().unwrap()).count(), 7);
    assert_eq!(world.store.list_users(&world.account_id).await.unwrap().len(), 1);
}

pub(crate) async fn a_link_signs_in_once_even_when_it_is_used_at_once(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let link = linked(&world, &ada).await;
    assert_eq!(link_user(&world, link).await, Some(ada.clone()));
    let openings: Vec<_> = (0..8).map(|_| opening(&world, &ada, Some(link))).collect();
    let outcomes = join_all(openings.iter().map(|opening| world.store.open_session(opening.clone()))).await;
    assert_eq!(outcomes.into_iter().filter(|outcome| *outcome.as_ref().unwrap()).count(), 1);
    assert_eq!(world.store.list_sessions(&ada.id).await.unwrap().len(), 1);
    assert_eq!(link_user(&world, link).await, None);
    let found = world.store.list_users(&world.account_id).await.unwrap().remove(0);
    assert_eq!(found.last_sign_in_at, Some(world.now()));
}

pub(crate) async fn a_link_is_valid_for_a_day_and_for_its_user_alone(world: World) {
    let (ada, bob) = (added(&world, "ada@example.com").await, added(&world, "bob@example.com").await);
    let link = linked(&world, &ada).await;
    assert!(!world.store.open_session(opening(&world, &bob, Some(link))).await.unwrap());
    world.advance_almost(SIGN_IN_LINK_LIFETIME);
    assert!(link_user(&world, link).await.is_some());
    world.advance(Duration::from_millis(1));
    assert_eq!(link_user(&world, link).await, None);
    assert!(!world.store.open_session(opening(&world, &ada, Some(link))).await.unwrap());
}

pub(crate) async fn a_session_is_found_by_its_token_touched_and_ended(world: World) {
    let (ada, bob) = (added(&world, "ada@example.com").await, added(&world, "bob@example.com").await);
    let opened = signed_in(&world, &ada).await;
    let found = world.store.find_session(opened.token).await.unwrap().unwrap();
    assert_eq!((found.session, found.account.id), (opened.session.clone(), world.account_id.clone()));
    assert_eq!(found.user, User { last_sign_in_at: Some(world.now()), ..ada.clone() });
    world.advance(Duration::from_mins(1));
    world.store.touch_session(&opened.session.id, world.now()).await.unwrap();
    // An earlier use that is recorded late changes nothing.
    world.store.touch_session(&opened.session.id, opened.session.created_at).await.unwrap();
    assert_eq!(world.store.list_sessions(&ada.id).await.unwrap()[0].last_seen_at, world.now());
    assert!(!world.store.end_session(&bob.id, &opened.session.id).await.unwrap());
    assert!(world.store.end_session(&ada.id, &opened.session.id).await.unwrap());
    assert!(!world.store.end_session(&ada.id, &opened.session.id).await.unwrap());
    assert_eq!(world.store.find_session(opened.token).await.unwrap(), None);
}

pub(crate) async fn a_password_and_signing_out_everywhere_end_sessions_and_links(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let (kept, ended) = (signed_in(&world, &ada).await, signed_in(&world, &ada).await);
    let link = linked(&world, &ada).await;
    let hash = PasswordHash("$hash$".to_owned());
    let bob = added(&world, "bob@example.com").await;
    let (foreign, fresh) = (signed_in(&world, &bob).await, token());
    let tries = [AttemptSubject::current_password(&ada.id)];
    let try_once = async || world.store.count_sign_in_attempt(&tries, world.now()).await.unwrap();
    for _ in 0..5 {
        assert_eq!(try_once().await, None);
    }
    assert!(try_once().await.is_some());
    let set =
        async |session_id| world.store.set_password(&ada.id, &hash, session_id, fresh, world.now()).await.unwrap();
    assert!(!set(&foreign.session.id).await, "a session of somebody else");
    assert!(world.store.find_session(ended.token).await.unwrap().is_some(), "nothing was changed");
    assert!(set(&kept.session.id).await);
    assert_eq!(try_once().await, None, "tries for the former password still count");
    assert_eq!(world.store.find_session(kept.token).await.unwrap(), None);
    let found = world.store.find_session(fresh).await.unwrap().unwrap();
    assert_eq!(found.user.password_hash, Some(hash));
    assert_eq!(world.store.find_session(ended.token).await.unwrap(), None);
    assert_eq!(link_user(&world, link).await, None);
    let link = linked(&world, &ada).await;
    world.store.end_sessions(&ada.id).await.unwrap();
    assert_eq!(world.store.list_sessions(&ada.id).await.unwrap(), []);
    assert_eq!(link_user(&world, link).await, None);
}

pub(crate) async fn a_further_session_ends_the_one_that_was_used_longest_ago(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let mut opened = Vec::new();
    for _ in 0..MAX_SESSIONS {
        opened.push(signed_in(&world, &ada).await);
        world.advance(Duration::from_secs(1));
    }
    world.store.touch_session(&opened[0].session.id, world.now()).await.unwrap();
    signed_in(&world, &ada).await;
    let left = world.store.list_sessions(&ada.id).await.unwrap();
    assert_eq!(left.len(), MAX_SESSIONS);
    let is_left = |opening: &SessionOpening| left.iter().any(|session| session.id == opening.session.id);
    assert!(is_left(&opened[0]) && !is_left(&opened[1]) && is_left(&opened[2]));
}

pub(crate) async fn whoever_signs_in_leaves_what_others_failed_at_from_the_same_network(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let network = AttemptSubject::network("192.0.2.1", 1);
    let count = async || world.store.count_sign_in_attempt(&[network], world.now()).await.unwrap();
    // The last of these is Ada's.
    for _ in 0..29 {
        assert_eq!(count().await, None);
    }
    let opening = SessionOpening { subjects: vec![network], ..opening(&world, &ada, None) };
    assert!(world.store.open_session(opening).await.unwrap());
    for _ in 0..2 {
        assert_eq!(count().await, None);
    }
    assert!(count().await.is_some());
}

pub(crate) async fn a_password_that_was_replaced_meanwhile_opens_no_session(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let [former, newest] = ["$former$", "$newest$"].map(|hash| PasswordHash(hash.to_owned()));
    for hash in [&former, &newest] {
        let kept = signed_in(&world, &ada).await;
        assert!(world.store.set_password(&ada.id, hash, &kept.session.id, token(), world.now()).await.unwrap());
    }
    let with = |password: PasswordHash| SessionOpening { password: Some(password), ..opening(&world, &ada, None) };
    assert!(!world.store.open_session(with(former)).await.unwrap());
    assert!(world.store.open_session(with(newest)).await.unwrap());
}

pub(crate) async fn failed_tries_to_sign_in_count_until_an_hour_has_gone_by(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let subject = AttemptSubject::email("ada@example.com");
    let address = AttemptSubject::network("127.0.0.1", 1);
    let count = || world.store.count_sign_in_attempt(std::slice::from_ref(&subject), world.now());
    // Concurrent attempts: all of them count.
    let outcomes = join_all((0..5).map(|_| count())).await;
    assert!(outcomes.into_iter().all(|outcome| outcome.unwrap().is_none()));
    let until = world.now().plus(Duration::from_secs(30));
    assert_eq!(count().await.unwrap(), Some(until));
    let both = [address, subject];
    assert_eq!(world.store.count_sign_in_attempt(&both, world.now()).await.unwrap(), Some(until));
    world.advance_almost(Duration::from_secs(30));
    assert_eq!(count().await.unwrap(), Some(until));
    world.advance(Duration::from_millis(1));
    // A rejected attempt was not counted, so this is the sixth.
    assert_eq!(count().await.unwrap(), None);
    assert_eq!(count().await.unwrap(), Some(world.now().plus(Duration::from_mins(1))));

    let opening = SessionOpening { subjects: vec![subject], ..opening(&world, &ada, None) };
    assert!(world.store.open_session(opening).await.unwrap());
    // A success takes back its own attempt. The failures may be those of somebody else with the same address.
    assert_eq!(count().await.unwrap(), None);
    assert_eq!(count().await.unwrap(), Some(world.now().plus(Duration::from_mins(1))));
    world.advance(FAILURE_MEMORY);
    for _ in 0..5 {
        assert_eq!(count().await.unwrap(), None);
    }
    assert!(count().await.unwrap().is_some());
}
