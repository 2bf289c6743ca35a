//! Promises about unreadable rows, such as those of a newer version: they are set aside, and processing continues with the others.

use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::ArticleStatus;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::job::{JobStatus, PROGRESS_DEADLINE, QUEUED_DEADLINE};
use contentgen_server_stub::domain::store::{LeaseOutcome, Queue};
use contentgen_server_stub::domain::voice::BrandVoice;

use super::deliveries::{capture, claim};
use super::world::{LEASE, World};

/// Longer than a row is set aside.
const LATER: Duration = Duration::from_mins(2);

pub(crate) async fn jobs_that_cannot_be_read_are_set_aside_and_the_others_are_claimed(world: World) {
    let mut ids = Vec::new();
    for number in 0..4 {
        ids.push(world.queue(world.submission(&format!("topic {number}"))).await);
        world.advance(Duration::from_millis(1));
    }
    world.store.create_website(&world.website("web_2", WebsiteStatus::Active)).await.unwrap();
    world.allow_any("jobs", "status");
    world.allow_any("websites", "status");
    world.execute(&format!("UPDATE jobs SET status = 'paused' WHERE id = '{}'", ids[0]));
    world.execute(&format!("UPDATE jobs SET request = '{{\"topic\": 7}}' WHERE id = '{}'", ids[1]));
    world.execute(&format!("UPDATE jobs SET website_id = 'web_2' WHERE id = '{}'", ids[2]));
    world.execute("UPDATE websites SET status = 'frozen' WHERE id = 'web_2'");
    let claimed = world.claim().await;
    assert_eq!(claimed.iter().map(|claimed| &claimed.job.id).collect::<Vec<_>>(), [&ids[3]]);
    assert_eq!(Queue::ALL.map(|queue| world.store.rows_set_aside(queue)), [3, 0, 0]);
    // They do not block the next claim, however small it is.
    let last = world.queue(world.submission("the last topic")).await;
    let claims = world.store.claim_jobs(1, world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!(claims.claimed[0].job.id, last);
    // A version that can read the rows finds them unchanged.
    world.execute(&format!(
        "UPDATE jobs SET status = 'queued', website_id = '{}' WHERE id IN ('{}', '{}')",
        world.website_id, ids[0], ids[2]
    ));
    world.advance(LATER);
    let claimed = world.claim().await;
    let claimed = claimed.iter().find(|claimed| claimed.job.id == ids[0]).unwrap();
    assert_eq!((claimed.job.attempts, claimed.job.interruptions), (1, 0));
}

pub(crate) async fn an_overdue_job_that_cannot_be_read_keeps_no_other_from_failing(world: World) {
    let unreadable = world.queue(world.submission("one")).await;
    let overdue = world.queue(world.submission("another")).await;
    world.execute(&format!("UPDATE jobs SET request = '{{\"topic\": 7}}' WHERE id = '{unreadable}'"));
    world.advance(QUEUED_DEADLINE);
    let failed = world.store.fail_overdue_jobs(world.moment()).await.unwrap();
    assert_eq!(failed.iter().map(|change| &change.job_id).collect::<Vec<_>>(), [&overdue]);
    assert_eq!(world.job(&overdue).await.status, JobStatus::Failed);
    // A row that was set aside is not read again each time.
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    assert_eq!(world.store.rows_set_aside(Queue::Jobs), 1);
}

/// Makes all jobs unreadable, or readable again.
fn spoil_jobs(world: &World, is_spoiled: bool) {
    let request = if is_spoiled { "'[' || request || ']'" } else { "trim(request, '[]')" };
    world.execute(&format!("UPDATE jobs SET request = {request}"));
}

pub(crate) async fn an_overdue_job_whose_lease_lapsed_waits_for_whoever_can_read_it(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    world.claim().await;
    spoil_jobs(&world, true);
    world.advance(PROGRESS_DEADLINE);
    assert!(world.claim_unbegun().await.is_empty());
    for is_spoiled in [true, false] {
        if !is_spoiled {
            spoil_jobs(&world, false);
        }
        assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
        assert_eq!(world.store.rows_set_aside(Queue::Jobs), 1);
    }
    world.advance(LATER);
    let again = world.claim().await.remove(0).job;
    assert_eq!((again.id, again.attempts, again.interruptions), (job_id, 2, 1));
}

pub(crate) async fn an_overdue_job_whose_claim_lapsed_is_set_aside_once_a_minute(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    world.claim_unbegun().await;
    spoil_jobs(&world, true);
    world.advance(QUEUED_DEADLINE);
    for _ in 0..2 {
        assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
        assert_eq!(world.store.rows_set_aside(Queue::Jobs), 1);
    }
    spoil_jobs(&world, false);
    world.advance(LATER);
    assert_eq!(world.store.fail_overdue_jobs(world.moment()).await.unwrap()[0].job_id, job_id);
}

pub(crate) async fn a_job_that_cannot_be_read_is_left_to_the_worker_that_holds_it(world: World) {
    let waiting = world.queue(world.submission("waits")).await;
    let until = world.now().plus(QUEUED_DEADLINE + LEASE);
    let waiting_claim = world.store.claim_jobs(1, world.moment(), until).await.unwrap().claimed.remove(0);
    world.queue(world.submission("runs")).await;
    let running = world.claim().await.remove(0);
    let renew = || world.store.renew_job(&running.job.id, &running.lease_token, until);
    assert_eq!(renew().await.unwrap(), LeaseOutcome::Recorded);
    spoil_jobs(&world, true);
    world.advance(QUEUED_DEADLINE);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    assert_eq!(world.store.rows_set_aside(Queue::Jobs), 0);
    spoil_jobs(&world, false);
    assert_eq!(renew().await.unwrap(), LeaseOutcome::Recorded);
    assert_eq!(world.begin(&waiting_claim, LEASE).await.unwrap().id, waiting);
    let failed = world.store.fail_overdue_jobs(world.moment()).await.unwrap();
    assert_eq!(failed.iter().map(|change| &change.job_id).collect::<Vec<_>>(), [&running.job.id, &waiting]);
}

pub(crate) async fn posts_that_cannot_be_read_are_set_aside_and_the_others_are_claimed(world: World) {
    let mut articles = Vec::new();
    for number in 0..2 {
        world.queue(world.submission("a topic")).await;
        let claimed = world.claim().await.remove(0);
        let completion = world.completion(&claimed, &format!("Title {number}"));
        assert_eq!(completion.article.status, ArticleStatus::Scheduled);
        articles.push(completion.article.id.clone());
        world.store.complete_job(completion).await.unwrap();
        world.advance(Duration::from_millis(1));
    }
    let body = "(SELECT body FROM articles WHERE id = '{}')";
    let spoil = format!(
        "UPDATE articles SET body = '[' || {} || ']' WHERE id = '{}'",
        body.replace("{}", &articles[0]),
        articles[0]
    );
    world.execute(&spoil);
    let due = world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!(due.iter().map(|claimed| &claimed.article.id).collect::<Vec<_>>(), [&articles[1]]);
    assert_eq!(world.store.rows_set_aside(Queue::Posts), 1);
    world.execute(&format!("UPDATE articles SET body = trim(body, '[]') WHERE id = '{}'", articles[0]));
    world.advance(LATER);
    let due = world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    let again = due.iter().find(|claimed| claimed.article.id == articles[0]).unwrap();
    assert_eq!(again.post.attempts, 1);
}

pub(crate) async fn deliveries_that_cannot_be_read_are_set_aside_and_the_others_are_claimed(world: World) {
    let newer = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let works = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    world.execute(&format!("UPDATE hook_endpoints SET former_secrets = '{{}}' WHERE id = '{newer}'"));
    let claimed = claim(&world, 100, 100).await;
    assert!(claimed.len() == 3 && claimed.iter().all(|delivery| delivery.endpoint_id == works), "{claimed:?}");
    assert_eq!(world.store.rows_set_aside(Queue::Deliveries), 3);
    capture(&world, 1).await;
    world.execute(&format!("UPDATE hook_endpoints SET former_secrets = '[]' WHERE id = '{newer}'"));
    world.advance(LATER);
    let claimed = claim(&world, 100, 100).await;
    let again: Vec<_> = claimed.iter().filter(|delivery| delivery.endpoint_id == newer).collect();
    assert_eq!(again.len(), 4);
    assert!(again.iter().all(|delivery| delivery.number == 1));
}

pub(crate) async fn a_delivery_of_an_unknown_kind_is_set_aside_alone(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    world.allow_any("delivery_queue", "kind");
    world.execute("UPDATE delivery_queue SET kind = 'hourly' WHERE delivery_id = (SELECT min(id) FROM deliveries)");
    assert_eq!(claim(&world, 100, 100).await.len(), 2);
}

pub(crate) async fn an_endpoint_that_a_newer_version_registered_gets_what_this_one_knows(world: World) {
    let [newer, paused] = [world.endpoint(&EventType::DEFAULT), world.endpoint(&EventType::DEFAULT)];
    let (newer, paused) = (world.hook(newer).await, world.hook(paused).await);
    world.allow_any("hook_endpoints", "status");
    let events = r#"'["lead.updated", "lead.captured"]'"#;
    world.execute(&format!("UPDATE hook_endpoints SET events = {events}"));
    world.execute(&format!("UPDATE hook_endpoints SET status = 'muted' WHERE id = '{paused}'"));
    capture(&world, 1).await;
    let claimed = claim(&world, 100, 100).await;
    assert_eq!(claimed.iter().map(|delivery| &delivery.endpoint_id).collect::<Vec<_>>(), [&newer]);
}

pub(crate) async fn many_rows_that_cannot_be_read_use_up_one_claim(world: World) {
    let mut ids = Vec::new();
    for number in 0..20 {
        ids.push(world.queue(world.submission(&format!("topic {number}"))).await);
        world.advance(Duration::from_millis(1));
    }
    for id in &ids[..17] {
        world.execute(&format!("UPDATE jobs SET request = '{{\"topic\": 7}}' WHERE id = '{id}'"));
    }
    let claims = world.store.claim_jobs(2, world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!(claims.claimed.iter().map(|claimed| &claimed.job.id).collect::<Vec<_>>(), [&ids[17], &ids[18]]);
    assert_eq!(world.store.rows_set_aside(Queue::Jobs), 17);
}

pub(crate) async fn many_jobs_of_a_website_that_cannot_be_read_use_up_one_claim(world: World) {
    let voice = BrandVoice { id: "voice_2".to_owned(), is_default: false, ..BrandVoice::default() };
    world.store.put_voice(&world.account_id, &world.saved(&voice)).await.unwrap();
    world.allow_any("websites", "status");
    for (website_id, spoil, set_aside) in [
        ("web_newer_status", "UPDATE websites SET status = 'frozen' WHERE id = 'web_newer_status'", 9),
        ("web_newer_voice", "UPDATE brand_voices SET profile = '7' WHERE id = 'voice_2'", 18),
    ] {
        let mut website = world.website(website_id, WebsiteStatus::Active);
        website.brand_voice_id = Some(voice.id.clone());
        world.store.create_website(&website).await.unwrap();
        let mut ids = Vec::new();
        for (website_id, jobs) in [(website_id, 9), (world.website_id.as_str(), 2)] {
            for number in 0..jobs {
                let mut submission = world.submission(&format!("topic {number}"));
                website_id.clone_into(&mut submission.job.website_id);
                ids.push(world.queue(submission).await);
                world.advance(Duration::from_millis(1));
            }
        }
        world.execute(spoil);
        let claims = world.store.claim_jobs(2, world.moment(), world.now().plus(LEASE)).await.unwrap();
        assert_eq!(claims.claimed.iter().map(|claimed| &claimed.job.id).collect::<Vec<_>>(), [&ids[9], &ids[10]]);
        assert_eq!(world.store.rows_set_aside(Queue::Jobs), set_aside);
    }
}

pub(crate) async fn a_delivery_that_is_set_aside_is_not_in_flight(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 1).await;
    assert_eq!(claim(&world, 100, 1).await.remove(0).number, 1);
    world.advance(LEASE + Duration::from_secs(1));
    world.allow_any("delivery_queue", "kind");
    world.execute("UPDATE delivery_queue SET kind = 'hourly'");
    assert!(claim(&world, 100, 1).await.is_empty());
    capture(&world, 1).await;
    assert_eq!(claim(&world, 100, 1).await.len(), 1);
}

pub(crate) async fn an_attempt_that_was_interrupted_keeps_its_number_when_it_is_set_aside(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 1).await;
    assert_eq!(claim(&world, 100, 1).await.remove(0).number, 1);
    world.advance(LEASE + Duration::from_secs(1));
    world.execute("UPDATE hook_endpoints SET former_secrets = '{}'");
    assert!(claim(&world, 100, 1).await.is_empty());
    world.execute("UPDATE hook_endpoints SET former_secrets = '[]'");
    world.advance(LATER);
    assert_eq!(claim(&world, 100, 1).await.remove(0).number, 1);
}

pub(crate) async fn an_endpoint_that_cannot_be_read_holds_up_no_other(world: World) {
    let damaged = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let works = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 2).await;
    world.execute(&format!("UPDATE hook_endpoints SET exhausted = -1 WHERE id = '{damaged}'"));
    let claimed = claim(&world, 100, 100).await;
    assert!(claimed.len() == 2 && claimed.iter().all(|delivery| delivery.endpoint_id == works), "{claimed:?}");
    assert_eq!(world.store.rows_set_aside(Queue::Deliveries), 1);
}
