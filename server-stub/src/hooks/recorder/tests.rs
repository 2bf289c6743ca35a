//! Tests of the recorder with a failing database.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use tokio::time::advance;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::AttemptKind;
use crate::domain::hook::Attempt;
use crate::domain::personal::Personal;
use crate::domain::retry_schedule::AttemptDecision;
use crate::domain::store::{AttemptRecord, ClaimedDelivery, Error, LeaseOutcome, Result};

use super::Recorder;
use super::recording::{AttemptStore, MAX_BATCH};

/// Store that fails the given number of times. It also rejects every batch with a bad record. It accepts a record `BAD`
/// alone on the second try, and a record `NEVER` never.
#[derive(Debug, Default)]
struct Failing {
    away: Mutex<u32>,
    bad_tries: Mutex<u32>,
    groups: Mutex<Vec<Vec<String>>>,
}

const BAD: &str = "dlv_bad";
const NEVER: &str = "dlv_never";

#[async_trait]
impl AttemptStore for Failing {
    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        let mut away = self.away.lock().unwrap();
        if *away > 0 {
            *away -= 1;
            return Err(Error::Unavailable("away".into()));
        }
        let ids: Vec<_> = records.iter().map(|record| record.delivery.id.clone()).collect();
        if ids.iter().any(|id| id == NEVER) {
            return Err(Error::Broken("a record that is never accepted".into()));
        }
        if ids.iter().any(|id| id == BAD) {
            let mut tries = self.bad_tries.lock().unwrap();
            *tries += u32::from(ids.len() == 1);
            if ids.len() > 1 || *tries < 2 {
                return Err(Error::Broken("a bad record".into()));
            }
        }
        self.groups.lock().unwrap().push(ids);
        Ok(records.iter().map(|_| LeaseOutcome::Recorded).collect())
    }
}

fn attempt_at(id: &str) -> AttemptRecord {
    let delivery = ClaimedDelivery {
        id: id.to_owned(),
        lease_token: "token".to_owned(),
        number: 1,
        kind: AttemptKind::Scheduled,
        resume: None,
        event_id: "evt_1".to_owned(),
        endpoint_id: "hook_1".to_owned(),
        url: "http://127.0.0.1/".to_owned(),
        secrets: Ok(Vec::new()),
        body: Personal::default(),
    };
    let now = Timestamp::from_millis(0);
    let attempt = Attempt {
        started_at: now,
        request_headers: Vec::new(),
        duration_ms: 1,
        response_status: Some(200),
        error: None,
        retry_after: None,
        timed_out: false,
        response_head: None,
        response_headers: Personal::default(),
    };
    AttemptRecord {
        delivery,
        attempt,
        decision: AttemptDecision::Succeeded,
        decided_at: Moment { wall: now, steady: now },
    }
}

/// Records attempts at these deliveries, and returns the recorded batches when all are recorded.
async fn recorded(queue: &Arc<Failing>, ids: &[&str]) -> Vec<Vec<String>> {
    let (records, recorder) = Recorder::new(Arc::clone(queue) as _);
    let add_all = async {
        join_all(ids.iter().map(|id| records.add(attempt_at(id)))).await;
        drop(records);
    };
    tokio::join!(recorder.run(), add_all);
    std::mem::take(&mut *queue.groups.lock().unwrap())
}

#[tokio::test]
async fn attempts_that_end_together_are_recorded_together() {
    let groups = recorded(&Arc::default(), &["dlv_1", "dlv_2", "dlv_3"]).await;
    assert_eq!(groups, [["dlv_1", "dlv_2", "dlv_3"]]);
}

#[tokio::test]
async fn attempts_are_recorded_once_the_database_is_back() {
    let queue = Arc::new(Failing { away: Mutex::new(2), ..Failing::default() });
    assert_eq!(recorded(&queue, &["dlv_1", "dlv_2"]).await, [["dlv_1", "dlv_2"]]);
}

#[tokio::test]
async fn one_bad_record_blocks_no_other() {
    let groups = recorded(&Arc::default(), &["dlv_1", BAD, "dlv_2"]).await;
    assert_eq!(groups, [["dlv_1"], ["dlv_2"], [BAD]]);
}

#[tokio::test(start_paused = true)]
async fn a_full_batch_of_bad_records_blocks_no_other() {
    let (records, recorder) = Recorder::new(Arc::<Failing>::default());
    let mut bad = std::pin::pin!(join_all((0..MAX_BATCH).map(|_| records.add(attempt_at(NEVER)))));
    tokio::select! {
        () = recorder.run() => unreachable!("there is a handle"),
        _ = &mut bad => panic!("an attempt that cannot be recorded was given up before the other was recorded"),
        () = async {
            // By then, the bad records have filled a batch and failed.
            for _ in 0..100 {
                advance(Duration::from_millis(10)).await;
            }
            records.add(attempt_at("dlv_1")).await;
        } => {}
    }
}
