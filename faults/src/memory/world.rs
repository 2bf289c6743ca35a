//! Everything that passed through the proxy: accepted keys, owners of ids, and the last version of each record.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::message::{Operation, Request, Response};

/// Maximum number of ids and records. Drops later ones.
const MAX_RECORDS: usize = 50_000;

#[derive(Debug, Default)]
struct State {
    keys: Vec<String>,
    owners: HashMap<String, String>,
    records: HashMap<(Operation, String), Value>,
    /// Article ids by job, and jobs by article.
    pairs: HashMap<String, String>,
}

/// Everything that passed through the proxy. Copies share it.
#[derive(Debug, Clone, Default)]
pub struct World {
    state: Arc<Mutex<State>>,
}

impl World {
    /// Records a response of the server, before any fault changes it.
    pub(crate) fn observe(&self, request: &Request, response: &Response) {
        let Some(operation) = request.operation() else { return };
        // Only a success proves that the key is valid. A server may refuse for its own reasons before it checks the
        // key.
        let is_accepted = response.is_success()
            || response.status == 304
            || response.code().is_some_and(|code| code == "insufficient_scope");
        let Some(key) = request.key().filter(|_| is_accepted) else { return };
        let mut state = self.lock();
        if !state.keys.iter().any(|known| known == key) && state.keys.len() < MAX_RECORDS {
            state.keys.push(key.to_owned());
        }
        let Some(body) = response.json().filter(|_| response.is_success()) else { return };
        match body.get("items").and_then(Value::as_array) {
            Some(rows) if operation.is_list() => rows.iter().for_each(|row| state.note(operation, key, row)),
            _ => state.note(operation, key, &body),
        }
    }

    /// Returns the keys that the server accepted so far, in order of first use.
    pub fn keys(&self) -> Vec<String> {
        self.lock().keys.clone()
    }

    /// Returns the first key that the server showed this id to. Its account may see the id.
    pub fn owner_of(&self, id: &str) -> Option<String> {
        self.lock().owners.get(id).cloned()
    }

    /// Returns a record as `operation` last showed it. `id` is that of a job, an article (or its job), a lead, a
    /// website or a scheduled post.
    pub fn record(&self, operation: Operation, id: &str) -> Option<Value> {
        let state = self.lock();
        let other = || state.pairs.get(id).and_then(|other| state.records.get(&(operation, other.clone())));
        state.records.get(&(operation, id.to_owned())).or_else(other).cloned()
    }

    /// Returns the article of a job, or the job of an article, once a response contained both.
    pub fn other_of_pair(&self, id: &str) -> Option<String> {
        self.lock().pairs.get(id).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn note(&mut self, operation: Operation, key: &str, record: &Value) {
        let Some(members) = record.as_object() else { return };
        if self.owners.len() >= MAX_RECORDS || self.records.len() >= MAX_RECORDS {
            return;
        }
        let ids = members.iter().filter(|(name, _)| *name == "id" || name.ends_with("_id"));
        for id in ids.filter_map(|(_, value)| value.as_str()) {
            self.owners.entry(id.to_owned()).or_insert_with(|| key.to_owned());
        }
        let text = |name: &str| members.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let article = if operation == Operation::GetArticle { text("id") } else { text("article_id") };
        if let (Some(job), Some(article)) = (text("job_id"), article) {
            self.pairs.insert(job.clone(), article.clone());
            self.pairs.insert(article, job);
        }
        let own = match operation {
            Operation::Generate | Operation::GetJob | Operation::CancelJob => text("job_id").or_else(|| text("id")),
            Operation::ListWebsites => text("website_id").or_else(|| text("id")),
            _ => text("id"),
        };
        if let Some(own) = own {
            self.records.insert((operation, own), record.clone());
        }
    }
}
