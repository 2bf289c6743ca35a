//! Promises about the audit trail: an entry is stored together with its change, or not at all.

use contentgen_server_stub::domain::account::Account;
use contentgen_server_stub::domain::audit::{Action, Actor, AuditEntry};
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::store::{AuditFilter, Error, PageKey, PageRequest};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;
use futures::future::join_all;

use super::users::{added, user};
use super::world::World;

const ALL: PageRequest = PageRequest { after: None, limit: 1000 };

fn entry(world: &World, actor: &Actor, action: Action) -> AuditEntry {
    let (account_id, subject) = (&world.account_id, Some("web_1"));
    AuditEntry::new(account_id, actor, (action, subject), Some("detail"), world.now(), &SystemRandomness)
}

fn recording(world: &World, action: Action) -> Store {
    world.store.audited(entry(world, &Actor::Operator, action))
}

async fn trail(world: &World) -> Vec<AuditEntry> {
    world.store.list_audit_entries(&world.account_id, &AuditFilter::default(), &ALL).await.unwrap()
}

pub(crate) async fn an_entry_is_written_with_its_change_or_not_at_all(world: World) {
    let entry = entry(&world, &Actor::User("ada@example.com".to_owned().into()), Action::UserAdded);
    let user = user(&world, "bob@example.com");
    world.store.audited(entry.clone()).create_user(&user).await.unwrap();
    assert_eq!(trail(&world).await, [entry]);
    assert_eq!(world.store.list_users(&world.account_id).await.unwrap(), [user]);
    // A change without an entry adds none.
    added(&world, "eve@example.com").await;
    assert_eq!(trail(&world).await.len(), 1);
}

pub(crate) async fn what_changes_nothing_leaves_no_entry(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let store = || recording(&world, Action::UserRemoved);
    assert!(!store().remove_user("user_none").await.unwrap());
    assert!(!store().remove_user(&ada.id).await.unwrap(), "the last user was removed");
    assert!(!store().end_session(&ada.id, "session_none").await.unwrap());
    assert!(!store().revoke_key(&world.account_id, "key_none", world.now()).await.unwrap());
    let first = world.store.find_account("first").await.unwrap().unwrap();
    let unknown = Account { id: "acct_none".to_owned(), ..first.clone() };
    assert!(!store().rename_account(&unknown, "other").await.unwrap());
    assert!(matches!(store().create_user(&user(&world, "ada@example.com")).await, Err(Error::AlreadyExists)));
    assert_eq!(trail(&world).await, []);
    assert!(store().rename_account(&first, "third").await.unwrap());
    assert_eq!(trail(&world).await.len(), 1);
    let job_id = world.queue(world.submission("a topic")).await;
    for _ in 0..2 {
        recording(&world, Action::JobCancelled).cancel_job(&job_id, world.now()).await.unwrap();
    }
    assert_eq!(trail(&world).await.len(), 2, "the second call cancelled nothing");
}

pub(crate) async fn a_change_whose_entry_cannot_be_stored_is_not_made(world: World) {
    let ada = added(&world, "ada@example.com").await;
    let bob = added(&world, "bob@example.com").await;
    let taken = entry(&world, &Actor::Operator, Action::UserRemoved);
    assert!(world.store.audited(taken.clone()).remove_user(&ada.id).await.unwrap());
    added(&world, "eve@example.com").await;
    let store = || world.store.audited(taken.clone());
    let account = world.store.find_account("first").await.unwrap().unwrap();
    assert!(matches!(store().remove_user(&bob.id).await, Err(Error::AlreadyExists)));
    assert!(store().create_user(&user(&world, "joe@example.com")).await.is_err());
    assert!(store().rename_account(&account, "other").await.is_err());
    let users = world.store.list_users(&world.account_id).await.unwrap();
    let emails: Vec<_> = users.iter().map(|user| user.email.as_str()).collect();
    assert_eq!(emails.len(), 2, "{emails:?}");
    assert!(emails.contains(&"bob@example.com") && emails.contains(&"eve@example.com"));
    assert_eq!(world.store.find_account("other").await.unwrap(), None);
    assert_eq!(trail(&world).await, [taken]);
}

pub(crate) async fn changes_at_once_leave_an_entry_each(world: World) {
    let users: Vec<_> = (0..16).map(|number| user(&world, &format!("user{}@example.com", number / 2))).collect();
    let stores: Vec<_> = users.iter().map(|_| recording(&world, Action::UserAdded)).collect();
    let outcomes = join_all(users.iter().zip(&stores).map(|(user, store)| store.create_user(user))).await;
    // Each address was used twice.
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 8);
    assert_eq!(trail(&world).await.len(), 8);
}

pub(crate) async fn the_trail_is_walked_newest_first_by_action_and_actor(world: World) {
    let ada = Actor::User("ada_l@example.com".to_owned().into());
    let mut written = Vec::new();
    let mut account = world.store.find_account(&world.account_id).await.unwrap().unwrap();
    for number in 0..12_u8 {
        // Three entries share a time.
        if number % 3 == 0 {
            world.advance(std::time::Duration::from_millis(1));
        }
        let actor = if number % 2 == 0 { &ada } else { &Actor::Operator };
        let action = if number % 4 == 0 { Action::AccountRenamed } else { Action::KeyCreated };
        let entry = entry(&world, actor, action);
        let name = format!("name {number}");
        assert!(world.store.audited(entry.clone()).rename_account(&account, &name).await.unwrap());
        account.name = name;
        written.push(entry);
    }
    written.sort_by(|one, other| (other.at, &other.id).cmp(&(one.at, &one.id)));
    let (mut walked, mut page) = (Vec::new(), PageRequest { after: None, limit: 5 });
    loop {
        let rows = world.store.list_audit_entries(&world.account_id, &AuditFilter::default(), &page).await.unwrap();
        let Some(last) = rows.last() else { break };
        page.after = Some(PageKey { time: last.at, id: last.id.clone() });
        walked.extend(rows);
    }
    assert_eq!(walked, written);
    let actor = |typed: &str| Search::parse(typed).map(Into::into);
    for (action, typed, count) in [
        (Some(Action::AccountRenamed), "", 3),
        (Some(Action::KeyCreated), "operator", 6),
        (None, "ADA_L", 6),
        (None, "ada%l", 0),
        (Some(Action::AccountRenamed), "operator", 0),
    ] {
        let filter = AuditFilter { action, actor: actor(typed) };
        let found = world.store.list_audit_entries(&world.account_id, &filter, &ALL).await.unwrap();
        assert_eq!(found.len(), count, "{action:?} {typed}");
        assert!(found.iter().all(|entry| action.is_none_or(|action| entry.action == action.as_str())));
    }
    assert_eq!(world.store.list_audit_entries("acct_other", &AuditFilter::default(), &ALL).await.unwrap(), []);
}
