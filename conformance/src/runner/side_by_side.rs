//! Runs items one after the other, and starts the next one while the started ones wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::Notify;

use crate::check::Activity;

/// Starts `items` in their order, at most `company` at a time. At most `at_a_time` of them work, the others wait. The
/// outputs are in the order in which the items ended.
pub(super) async fn run<Item, Running: Future>(
    company: usize,
    at_a_time: impl Fn() -> usize,
    items: impl IntoIterator<Item = Item>,
    begin: impl Fn(Item, Arc<Activity>) -> Running,
) -> Vec<Running::Output> {
    let changed = Arc::new(Notify::new());
    let mut items = items.into_iter().enumerate();
    let mut running = FuturesUnordered::new();
    let mut activities: BTreeMap<usize, Arc<Activity>> = BTreeMap::new();
    let mut outputs = Vec::new();
    loop {
        let active = activities.values().filter(|activity| !activity.is_waiting()).count();
        let has_room = running.len() < company && active < at_a_time();
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

    use tokio::sync::watch;

    use super::*;
    use crate::check::CaseActivity;

    /// State shared by the tasks: the number that wait for the working one, and the number that have ended.
    struct Course {
        told: Mutex<Vec<String>>,
        released: watch::Sender<bool>,
        ended: watch::Sender<u32>,
    }

    impl Course {
        fn tell(&self, line: &str) {
            self.told.lock().unwrap_or_else(|error| panic!("{error}")).push(line.to_owned());
        }

        async fn task(&self, name: &str, activity: Arc<Activity>) {
            self.tell(&format!("{name} begins"));
            let case = CaseActivity::begin(&activity);
            if name == "works" {
                self.released.send_replace(true);
                let _ = self.ended.subscribe().wait_for(|ended| *ended == 2).await;
            } else {
                let mut released = self.released.subscribe();
                let _ = case.wait(released.wait_for(|released| *released)).await;
                self.ended.send_modify(|ended| *ended += 1);
            }
            self.tell(&format!("{name} ends"));
        }
    }

    #[tokio::test]
    async fn the_next_one_begins_while_the_others_wait_and_not_while_one_works() {
        let course =
            Course { told: Mutex::default(), released: watch::Sender::new(false), ended: watch::Sender::new(0) };
        let begin = |name: &'static str, activity| course.task(name, activity);
        run(8, || 1, ["waits", "waits too", "works", "comes last"], begin).await;
        let told = course.told.lock().unwrap_or_else(|error| panic!("{error}")).clone();
        assert_eq!(told[..3], ["waits begins", "waits too begins", "works begins"]);
        assert_eq!(told[5..], ["works ends", "comes last begins", "comes last ends"], "{told:?}");
    }

    #[tokio::test]
    async fn where_several_may_do_something_the_next_one_begins_beside_one_that_works() {
        let course =
            Course { told: Mutex::default(), released: watch::Sender::new(false), ended: watch::Sender::new(0) };
        let begin = |name: &'static str, activity| course.task(name, activity);
        // The first one works until both others have ended.
        run(8, || 2, ["works", "waits", "waits too"], begin).await;
        let told = course.told.lock().unwrap_or_else(|error| panic!("{error}")).clone();
        assert_eq!((told[0].as_str(), told[5].as_str()), ("works begins", "works ends"), "{told:?}");
    }

    #[tokio::test]
    async fn without_company_each_one_begins_when_the_one_before_has_ended() {
        let course =
            Course { told: Mutex::default(), released: watch::Sender::new(true), ended: watch::Sender::new(2) };
        run(1, || 8, ["first", "second"], |name: &'static str, activity| course.task(name, activity)).await;
        let told = course.told.lock().unwrap_or_else(|error| panic!("{error}")).clone();
        assert_eq!(told, ["first begins", "first ends", "second begins", "second ends"]);
    }
}
