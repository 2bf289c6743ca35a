//! Jobs' usage of language models: sums over all attempts, however the job ended.

use contentgen_server_stub::domain::language_model::ModelUsage;
use contentgen_server_stub::generation::UsageMeter;

use super::world::World;

fn usage(requests: u32, cost: Option<u64>) -> ModelUsage {
    ModelUsage {
        writer: "llm:openai/one".to_owned(),
        requests,
        failed_requests: requests / 2,
        input_tokens: 1000 * u64::from(requests),
        output_tokens: 10 * u64::from(requests),
        cost_nanodollars: cost,
        is_estimated: false,
    }
}

pub(super) async fn what_attempts_used_adds_up_for_each_job(world: World) {
    let (job, other) = (world.queue(world.submission("one")).await, world.queue(world.submission("other")).await);
    assert_eq!(world.store.model_usage(&job).await.unwrap(), None);
    let estimated = ModelUsage { is_estimated: true, writer: "llm:anthropic/two".to_owned(), ..usage(4, None) };
    let later = [usage(1, None), usage(2, Some(70)), estimated, usage(1, Some(5))];
    let mut expected = ModelUsage::default();
    for (number, used) in later.into_iter().enumerate() {
        expected.add(&used);
        // The first call may have been committed although its caller received an error.
        for _ in 0..2 {
            world.store.add_model_usage(&job, &format!("report {number}"), &used).await.unwrap();
            assert_eq!(world.store.model_usage(&job).await.unwrap().as_ref(), Some(&expected));
        }
    }
    assert_eq!((expected.cost_nanodollars, expected.is_estimated, expected.requests), (Some(75), true, 8));
    assert_eq!(world.store.model_usage(&other).await.unwrap(), None);
    // A cancelled job keeps its usage.
    world.store.cancel_job(&job, world.now()).await.unwrap();
    world.store.add_model_usage(&job, "the last report", &usage(1, None)).await.unwrap();
    assert_eq!(world.store.model_usage(&job).await.unwrap().map(|used| used.requests), Some(9));
    // An endpoint can claim any count. Sums of counts that are too large stay readable.
    let absurd = ModelUsage { input_tokens: u64::MAX, output_tokens: u64::MAX, ..usage(1, Some(u64::MAX)) };
    for number in 0..3 {
        world.store.add_model_usage(&other, &format!("absurd {number}"), &absurd).await.unwrap();
    }
    let used = world.store.model_usage(&other).await.unwrap().unwrap();
    assert_eq!(used.input_tokens, 3 << 53);
    assert_eq!((used.output_tokens, used.cost_nanodollars), (used.input_tokens, Some(used.input_tokens)));
}

#[test]
fn a_report_of_usage_stays_the_same_until_it_is_stored() {
    let meter = UsageMeter::default();
    meter.add(&usage(1, None));
    assert_eq!(meter.report(), (1, usage(1, None)));
    meter.add(&usage(2, None));
    assert_eq!(meter.report(), (1, usage(1, None)));
    meter.note_stored();
    assert_eq!(meter.report(), (2, usage(2, None)));
    meter.note_stored();
    assert!(meter.report().1.is_empty());
}
