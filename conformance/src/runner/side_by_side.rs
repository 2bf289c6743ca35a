//! Running one thing after the other, and the next one already while all that were begun wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::Notify;

use crate::check::Activity;

/// Begins `items` in their order, at most `company` at a time: one does something, the others wait. The outputs are in the order in
/// which they ended.
pub(super) async fn run<Item, Running: Future>(
    company: usize,
    items: impl IntoIterator<Item = Item>,
    begin: impl Fn(Item, Arc<Activity>) -> Running,
) -> Vec<Running::Output> {
    let changed = Arc::new(Notify::new());
    let mut items = items.into_iter().enumerate();
    let mut running = FuturesUnordered::new();
    let mut activities: BTreeMap<usize, Arc<Activity>> = BTreeMap::new();
    let mut outputs = Vec::new();
    loop {
        let has_room = running.len() < company && activities.values().all(|activity| activity.is_waiting());
        if has_room && let Some((number, item)) = items.next() {
            let activity = Arc::new(Activity::new(Arc::clone(&changed)));
            activities.insert(number, Arc::clone(&activity));
            let begun = begin(item, activity);
            running.push(async move { (number, begun.await) });
        }
        tokio::select! {
            ended = running.next() => {
                let Some((number, output)) = ended else { return outputs };
                activities.remove(&number);
                outputs.push(output);
            }
            () = changed.notified() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::check::CaseActivity;

    #[tokio::test(start_paused = true)]
    async fn the_next_one_begins_while_the_others_wait_and_not_while_one_works() {
        let log = Mutex::new(Vec::new());
        let task = |(name, waits): (&'static str, bool), activity: Arc<Activity>| {
            let log = &log;
            async move {
                log.lock().unwrap_or_else(|error| panic!("{error}")).push(format!("{name} begins"));
                let case = CaseActivity::begin(&activity);
                let time = tokio::time::sleep(Duration::from_secs(10));
                if waits {
                    case.wait(time).await
                } else {
                    time.await
                }
                log.lock().unwrap_or_else(|error| panic!("{error}")).push(format!("{name} ends"));
            }
        };
        let tasks = [("a", true), ("b", true), ("c", false), ("d", true)];
        let begun = tokio::time::Instant::now();
        run(8, tasks, task).await;
        let told = log.lock().unwrap_or_else(|error| panic!("{error}")).join(", ");
        assert_eq!(told, "a begins, b begins, c begins, a ends, b ends, c ends, d begins, d ends");
        assert_eq!(begun.elapsed().as_secs(), 20);
        log.lock().unwrap_or_else(|error| panic!("{error}")).clear();
        run(1, tasks, task).await;
        assert!(
            log.lock().unwrap_or_else(|error| panic!("{error}")).join(", ").starts_with("a begins, a ends, b begins")
        );
    }
}
