//! Selection of the webhooks that a case shows, if others arrived, too.

use std::sync::Arc;
use tokio::time::Instant;

use bytes::Bytes;
use contentgen_conformance::inbox::{HookAnswer, HookLog, HookRequest};
use http::HeaderMap;

fn arrived(log: &HookLog, path: &str, body: &'static str) {
    let mut hook = HookRequest {
        method: "POST".to_owned(),
        path: path.to_owned(),
        headers: HeaderMap::new(),
        body: Bytes::from_static(body.as_bytes()),
        arrived: Instant::now(),
        arrived_unix: 0,
        answered: 0,
    };
    hook.answered = log.answer_for(&hook).0.status();
    log.record(hook);
}

fn shown(log: &HookLog, name: &str) -> Vec<(String, u16)> {
    let hooks = log.of_case(&[name.to_owned()], Instant::now());
    hooks.into_iter().map(|hook| (hook.path, hook.answered)).collect()
}

#[test]
fn of_a_retry_only_the_endpoint_that_refused_is_shown_and_the_refusal_first() {
    let log = Arc::new(HookLog::default());
    log.script("lead-1-retry-0", &[HookAnswer::Status(500)]);
    arrived(&log, "/hooks/further-other", "about lead-1-retry-0");
    arrived(&log, "/hooks", "about lead-1-retry-0");
    arrived(&log, "/hooks/further-other", "about lead-1-retry-0");
    arrived(&log, "/hooks", "about lead-2-other-0");
    arrived(&log, "/hooks", "about lead-1-retry-0, again");
    assert_eq!(shown(&log, "-1-retry-"), [("/hooks".to_owned(), 500), ("/hooks".to_owned(), 204)]);
    // Without a script, every endpoint counts.
    assert_eq!(shown(&log, "-2-other-"), [("/hooks".to_owned(), 204)]);
    arrived(&log, "/hooks/further-third", "about lead-2-other-0");
    assert_eq!(shown(&log, "-2-other-").len(), 2);
}
