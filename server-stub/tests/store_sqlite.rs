//! The promises of `store`, kept by SQLite; and what only a database in a file promises.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod store;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use contentgen_server_stub::domain::store::Store;
use contentgen_server_stub::storage;
use futures::future::join_all;
use proptest::test_runner::{Config, TestRunner};
use store::world::World;
use tempfile::TempDir;

fn open(folder: &TempDir) -> Arc<dyn Store> {
    storage::open(&address(&folder.path().join("test.db"))).unwrap()
}

fn address(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

macro_rules! promises {
    ($($area:ident { $($promise:ident)* })*) => { $( mod $area { $(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $promise() {
            let folder = tempfile::tempdir().unwrap();
            let world = super::World::new(super::open(&folder)).await;
            super::store::$area::$promise(world).await;
        }
    )* } )* };
}

promises! {
    accounts {
        an_account_is_found_by_name_and_id_and_its_name_is_taken
        records_read_back_as_they_were_stored
        a_website_of_an_unknown_account_is_refused
        a_key_needs_an_active_website
        an_account_has_at_most_twenty_live_keys
        a_job_is_written_in_the_websites_voice_or_the_accounts_default
        the_token_secret_is_made_once
    }
    submissions {
        a_submission_is_readable_at_once_with_its_pipeline_entry
        requests_with_one_idempotency_key_queue_one_job
        an_idempotency_key_is_free_again_after_a_day
        purging_deletes_expired_keys_and_no_other
        a_full_queue_refuses_until_a_job_ends
        a_failing_submission_leaves_nothing_and_spoils_no_other
    }
    jobs {
        a_claimed_job_is_in_progress_and_its_completion_shows_everywhere
        an_article_that_needs_approval_waits_as_a_draft
        no_job_is_claimed_twice_while_its_lease_holds
        only_the_last_claim_may_finish_a_job
        a_renewed_lease_holds_and_a_released_job_is_due_without_counting
        a_retry_waits_for_its_time_and_the_end_is_told_in_job_and_post
        a_job_whose_workers_crash_three_times_fails
        a_job_of_a_website_that_is_not_active_fails_when_it_is_taken
        overdue_jobs_fail_whether_they_wait_or_run
        a_cancelled_job_never_gets_an_article
        a_completed_job_is_not_cancelled
        articles_with_one_title_get_slugs_of_their_own
        a_failed_job_is_announced_only_where_somebody_asked
    }
    publishing {
        a_post_is_due_at_its_time_and_not_before
        article_post_event_and_deliveries_are_published_together
        only_the_last_claim_may_publish
        a_failed_attempt_waits_and_a_final_one_is_told
        a_post_whose_publishing_crashes_five_times_fails
        an_endpoint_that_asked_for_content_gets_it
    }
    leads {
        a_lead_is_stored_with_its_event
        the_same_person_within_ten_minutes_is_one_lead_with_one_event
        a_burst_of_one_person_is_one_lead
        without_an_address_every_capture_is_new
        a_lead_whose_event_cannot_be_stored_is_not_stored
    }
    deliveries {
        an_event_goes_to_every_active_endpoint_that_wants_it_and_no_other
        a_retry_comes_at_its_time_with_the_same_bytes
        an_attempt_of_a_lapsed_claim_is_not_recorded
        one_endpoint_never_takes_all_places
        an_endpoint_that_is_gone_is_disabled_with_all_that_waits_for_it
        an_endpoint_that_fails_for_five_days_is_disabled_and_one_success_starts_anew
        a_removed_endpoint_gets_nothing_more_and_an_account_has_at_most_ten
        times_before_the_epoch_and_far_ahead_are_kept
    }
    lists {
        rows_that_arrive_during_a_walk_neither_hide_nor_repeat_others
        filters_of_posts_and_articles_hold
        a_restricted_caller_sees_only_its_websites
    }
}

#[test]
fn a_walk_over_leads_equals_the_model() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&store::lists::lead_cases(), |case| {
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let world = World::new(open(&folder)).await;
            store::lists::a_walk_over_leads_equals_the_model(world, case).await;
        });
        Ok(())
    });
    outcome.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(open(&folder)).await;
    let submissions: Vec<_> = (0..300).map(|number| world.submission(&format!("topic {number}"))).collect();
    let ids: Vec<_> = submissions.iter().map(|submission| submission.job.id.clone()).collect();
    join_all(submissions.into_iter().map(|submission| world.store.submit(submission))).await;
    let secret = world.store.token_secret().await.unwrap();
    drop(world);
    let store = open(&folder);
    for id in &ids {
        assert!(store.find_job(id).await.unwrap().is_some(), "{id} is lost");
    }
    assert_eq!(store.token_secret().await.unwrap(), secret);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_may_share_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(open(&folder)).await;
    let other = open(&folder);
    let job_id = world.queue(world.submission("a topic")).await;
    assert!(other.find_job(&job_id).await.unwrap().is_some());
    let now = world.now();
    let claims =
        join_all([world.store.claim_jobs(5, now, now.plus_millis(9)), other.claim_jobs(5, now, now.plus_millis(9))]);
    let claimed: usize = claims.await.into_iter().map(|claim| claim.unwrap().claimed.len()).sum();
    assert_eq!(claimed, 1);
}

#[test]
fn several_may_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let address = address(&folder.path().join("new.db"));
    let openers: Vec<_> = (0..6)
        .map(|_| {
            let address = address.clone();
            std::thread::spawn(move || storage::migrate(&address).map_err(|error| error.to_string()))
        })
        .collect();
    for opener in openers {
        assert_eq!(opener.join().unwrap(), Ok(1));
    }
}

#[test]
fn an_address_that_cannot_be_used_is_refused_with_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing").join("test.db");
    let refused = |address: &str| storage::open(address).unwrap_err().to_string();
    assert!(refused(&address(&missing)).contains("create it or choose another path"));
    assert!(!folder.path().join("missing").exists());
    assert!(refused(&address(folder.path())).contains("is not a file"));
    assert!(refused("postgres://localhost/db").contains("use sqlite:PATH"));
    for wrong in ["", "sqlite:", "test.db", "mysql://x", "sqlite::memory:"] {
        assert!(refused(wrong).contains("is not understood"), "{wrong:?}: {}", refused(wrong));
    }
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("ours.db");
    storage::migrate(&address(&ours)).unwrap();
    let with = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        fs::copy(&ours, &path).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let newer = with("newer.db", "PRAGMA user_version = 99");
    let foreign = with("foreign.db", "PRAGMA application_id = 1");
    let text = folder.path().join("text.db");
    fs::write(&text, "just a text, and long enough to be read as a header of a database: ".repeat(20)).unwrap();
    let torn = folder.path().join("torn.db");
    let whole = fs::read(&ours).unwrap();
    fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
    let spoiled = folder.path().join("spoiled.db");
    let mut bytes = whole.clone();
    bytes[4096..8192].fill(0xA5);
    fs::write(&spoiled, bytes).unwrap();
    for (path, expected) in [
        (newer, "use the newer program"),
        (foreign, "another program"),
        (text, "is not an SQLite database"),
        (torn, "is damaged"),
        (spoiled, "is damaged"),
    ] {
        let before = fs::read(&path).unwrap();
        let message = storage::open(&address(&path)).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(fs::read(&path).unwrap(), before, "{} was changed", path.display());
    }
    assert_eq!(storage::migrate(&address(&ours)).unwrap(), 1);
}
