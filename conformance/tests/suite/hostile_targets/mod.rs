//! Hostile targets. Each run ends with failures, or with a message and exit code 3. It never hangs, crashes or uses unbounded memory.
//! `budget` shows with a paused clock that a run ends within its budget.

mod behaviours;
mod budget;
mod listener;
mod memory;
mod redirects;

use std::time::Duration;

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{
    Account, Flaky, Limits, Outcome, Run, Selection, SetUpError, Settings, Suite, Target,
};
use contentgen_conformance::spec::{Document, Profile};
use listener::Hostile;

/// Time limit of a run. It starts no cases after that.
const BUDGET: Duration = Duration::from_secs(2);
/// Time after which a run counts as hanging.
const GIVE_UP_AFTER: Duration = Duration::from_mins(5);
/// Time until the first failure, if a busy machine found none in [`BUDGET`].
const UNTIL_FIRST_FINDING: Duration = Duration::from_mins(2);
/// Time limit of a request in that second run. A busy machine needs long to unpack a large body.
const LONG_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response body that the suite reads, plus the buffers of the sockets.
const BODY_CAP: u64 = 8 << 20;
const IN_BUFFERS: u64 = 56 << 20;

pub(crate) fn target(base_url: &str) -> Target {
    let account = Account { api_key: "cg_live_0123456789abcdef".to_owned(), website_id: Some("web_1".to_owned()) };
    let mut target = Target::new(base_url, account);
    target.ready_within = Some(Duration::from_secs(2));
    target.limits = Limits { requests_per_second: 0.0, timeout: Duration::from_millis(500) };
    target
}

async fn run(base_url: &str, profile: Profile, max_time: Duration) -> Result<Run, SetUpError> {
    let settings = Settings {
        profile,
        selection: Selection::default(),
        cases: 4,
        seed: 11,
        jobs: 8,
        max_time: Some(max_time),
        fail_fast: max_time > BUDGET,
        // Some targets misbehave only from time to time.
        flaky: Flaky::Fail,
        ..Settings::default()
    };
    let mut target = target(base_url);
    if max_time > BUDGET {
        target.limits.timeout = LONG_TIMEOUT;
    }
    let suite = Suite::new(ContentGeneration, target).with(settings);
    let ended = tokio::time::timeout(GIVE_UP_AFTER, suite.run(&|_| {})).await;
    ended.unwrap_or_else(|_| panic!("the run against {base_url} hangs"))
}

/// Checks that the run ends with at least one failure, whatever time it takes, or with a message before it starts.
async fn ends_in_a_finding(name: &'static str, hostile: Hostile, profile: Profile) {
    // Read the document first, so that this time does not count for the target.
    drop(Document::embedded(profile).unwrap());
    let mut ended = run(&hostile.base_url, profile, BUDGET).await;
    // A slow machine can make results inconclusive.
    if ended.as_ref().is_ok_and(|run| run.verdicts().failed == 0) {
        ended = run(&hostile.base_url, profile, UNTIL_FIRST_FINDING).await;
    }
    match ended {
        Ok(run) => {
            let verdicts = run.verdicts();
            let open = run.results.iter().find(|result| matches!(result.outcome, Outcome::Inconclusive(_)));
            assert!(verdicts.failed > 0, "{name}: {verdicts:?}, such as {open:?}");
            let error = run.results.iter().find(|result| matches!(result.outcome, Outcome::Error(_)));
            assert!(error.is_none(), "{name}: {error:?}");
        }
        Err(SetUpError::Target(sentence)) => assert!(!sentence.is_empty(), "{name}"),
        Err(other) => panic!("{name}: {other}"),
    }
    let read = hostile.most_written();
    assert!(read <= BODY_CAP + IN_BUFFERS, "{name}: {read} bytes over one connection");
}

macro_rules! hostile {
    ($($name:ident: $behaviour:expr;)*) => { $(
        #[tokio::test]
        async fn $name() {
            // Both runs wait most of the time.
            let run = |profile| ends_in_a_finding(stringify!($name), Hostile::start($behaviour), profile);
            tokio::join!(run(Profile::Core), run(Profile::Full));
        }
    )* };
}

hostile! {
    a_target_that_never_answers: behaviours::silent;
    a_target_that_closes_at_once: behaviours::closing;
    a_target_that_resets_the_connection: behaviours::resetting;
    a_target_whose_headers_never_end: behaviours::endless_headers;
    a_target_that_drips_its_headers: behaviours::dripping_headers;
    a_target_whose_body_never_ends: behaviours::endless_body;
    a_target_whose_chunks_never_end: behaviours::endless_chunks;
    a_target_that_drips_its_body: behaviours::dripping_body;
    a_target_that_ends_in_the_middle_of_a_body: behaviours::truncated;
    a_target_that_speaks_something_else: behaviours::another_protocol;
    a_target_with_two_lengths: behaviours::two_lengths;
    a_target_with_broken_chunks: behaviours::broken_chunks;
    a_target_that_sends_a_decompression_bomb: behaviours::bomb;
    a_target_that_asks_to_continue_forever: behaviours::continuing;
    a_target_that_always_asks_to_wait: behaviours::always_429;
    a_target_with_deep_json: behaviours::deep_json;
    a_target_that_hangs_after_the_first_answers: behaviours::hangs_later();
    a_target_that_answers_before_it_is_asked: behaviours::eager;
}
