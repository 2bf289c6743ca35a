//! Jobs' usage of language models: sums over all attempts, however the job ended.

use contentgen_server_stub::domain::language_model::ModelUsage;

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
    for used in later {
        world.store.add_model_usage(&job, &used).await.unwrap();
        expected.add(&used);
        assert_eq!(world.store.model_usage(&job).await.unwrap().as_ref(), Some(&expected));
    }
    assert_eq!((expected.cost_nanodollars, expected.is_estimated, expected.requests), (Some(75), true, 8));
    assert_eq!(world.store.model_usage(&other).await.unwrap(), None);
    // A cancelled job keeps its usage.
    world.store.cancel_job(&job, world.now()).await.unwrap();
    world.store.add_model_usage(&job, &usage(1, None)).await.unwrap();
    assert_eq!(world.store.model_usage(&job).await.unwrap().map(|used| used.requests), Some(9));
}
