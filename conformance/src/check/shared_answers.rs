//! Answers that all cases of a requirement share, such as that a valid request is accepted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::OnceCell;

use super::verdict::Halt;

type Answer = Arc<OnceCell<Result<Value, Halt>>>;

/// The answers that cases share, by requirement and question.
#[derive(Default)]
pub(super) struct SharedAnswers(Mutex<BTreeMap<(&'static str, String), Answer>>);

impl SharedAnswers {
    /// Returns the answer to `question` for the cases of `requirement`. The first case asks, the others wait for it.
    pub(super) async fn get(
        &self,
        requirement: &'static str,
        question: String,
        ask: impl Future<Output = Result<Value, Halt>>,
    ) -> Result<Value, Halt> {
        let answer = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry((requirement, question)).or_default())
        };
        answer.get_or_init(|| ask).await.clone()
    }
}
