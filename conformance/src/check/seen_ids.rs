//! Collects the ids that a run has seen, to try them where they must not work.
//!
//! `requirements::isolation` tries them.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::exchange::{Credential, Exchange};

/// Maximum number of ids that are kept, and maximum length of one.
const KEPT: usize = 4_096;
const LONGEST: usize = 256;

/// Ids in the order in which they were first seen.
#[derive(Debug, Default)]
pub(crate) struct SeenIds(Mutex<(BTreeSet<String>, Vec<String>)>);

impl SeenIds {
    /// Collects the ids of a successful response to the account under test.
    pub(crate) fn look(&self, exchange: &Exchange) {
        let is_own = exchange.request.credential == Credential::Main && exchange.request.operation.is_some();
        // A website's id is configured and tested elsewhere.
        if !is_own || !exchange.succeeded() || exchange.request.operation == Some("list_websites") {
            return;
        }
        if let Some(body) = exchange.json() {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            collect(body, &mut |id| {
                if seen.1.len() < KEPT && seen.0.insert(id.to_owned()) {
                    seen.1.push(id.to_owned());
                }
            });
        }
    }

    /// Returns all ids.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// Collects fields called `id`, and `…_id` on the first level of an object or of a row.
fn collect(body: &Value, found: &mut impl FnMut(&str)) {
    match body {
        Value::Array(rows) => rows.iter().for_each(|row| collect(row, found)),
        Value::Object(members) => {
            for (name, member) in members {
                let names_id = name == "id" || (name.ends_with("_id") && name != "website_id");
                if let Some(id) = member.as_str().filter(|id| names_id && !id.is_empty() && id.len() <= LONGEST) {
                    found(id);
                }
                if name == "items" {
                    collect(member, found);
                }
            }
        }
        _ => {}
    }
}
