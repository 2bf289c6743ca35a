//! Records when keys were last used. Requests note it in memory, and a loop stores it once a minute. So no request waits for the
//! write, and cached rows stay valid in between.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use super::App;
use crate::domain::clock::Timestamp;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::Result;

/// Interval between two writes.
const PAUSE: Duration = Duration::from_mins(1);
/// Maximum number of keys noted in memory. Uses of further keys are dropped until the next write.
const MAX_KEYS: usize = 10_000;
/// Maximum number of keys in one transaction.
const BATCH: usize = 500;

/// Uses that are not stored yet, by key id.
#[derive(Debug, Default)]
pub(super) struct KeyUses(Mutex<HashMap<String, Timestamp>>);

impl KeyUses {
    /// Notes that the key was used at `now`.
    pub(super) fn note(&self, key_id: &str, now: Timestamp) {
        let mut uses = self.lock();
        if let Some(last) = uses.get_mut(key_id) {
            *last = now.max(*last);
        } else if uses.len() < MAX_KEYS {
            uses.insert(key_id.to_owned(), now);
        }
    }

    fn take(&self) -> HashMap<String, Timestamp> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// Stores the uses once a minute and when the service stops.
    pub async fn follow_key_uses(&self) {
        while self.stopping.run_until_cancelled(sleep(PAUSE)).await.is_some() {
            self.write_key_uses_or_warn().await;
        }
        self.write_key_uses_or_warn().await;
    }

    /// Stores the noted uses. If a write fails, keeps the remaining uses for the next time.
    pub async fn write_key_uses(&self) -> Result<()> {
        let uses: Vec<_> = self.key_uses.take().into_iter().collect();
        for (number, batch) in uses.chunks(BATCH).enumerate() {
            if let Err(error) = self.store.note_key_uses(batch).await {
                uses[number * BATCH..].iter().for_each(|(key_id, at)| self.key_uses.note(key_id, *at));
                return Err(error);
            }
        }
        Ok(())
    }

    async fn write_key_uses_or_warn(&self) {
        if let Err(error) = self.write_key_uses().await {
            tracing::warn!(error = %ErrorChain(&error), "cannot store when keys were last used; retrying");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_use_of_each_key_is_kept_and_memory_is_bounded() {
        let (uses, at) = (KeyUses::default(), Timestamp::from_millis);
        for (key_id, millis) in [("key_1", 5), ("key_2", 1), ("key_1", 9), ("key_1", 7)] {
            uses.note(key_id, at(millis));
        }
        assert_eq!(uses.take(), HashMap::from([("key_1".to_owned(), at(9)), ("key_2".to_owned(), at(1))]));
        (0..=MAX_KEYS).for_each(|number| uses.note(&format!("key_{number}"), at(0)));
        assert_eq!(uses.take().len(), MAX_KEYS);
        assert!(uses.take().is_empty());
    }
}
