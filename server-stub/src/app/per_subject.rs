//! Limits simultaneous uses by each subject, such as open connections of one network.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A limit for each subject. Clones share the counts.
#[derive(Debug, Clone)]
pub struct PerSubject {
    limit: u32,
    in_use: Arc<Mutex<HashMap<String, u32>>>,
}

/// One use, until it is dropped.
#[derive(Debug)]
pub struct Use {
    limit: PerSubject,
    subjects: Vec<String>,
}

impl PerSubject {
    /// Allows `limit` uses of each subject at a time.
    pub fn new(limit: u32) -> Self {
        Self { limit, in_use: Arc::default() }
    }

    /// Counts a use for all subjects, each with its multiple of the limit. Returns `None` if one of them is at its limit.
    pub fn begin(&self, subjects: Vec<(String, u32)>) -> Option<Use> {
        let mut in_use = self.in_use();
        let is_free = |(subject, multiple): &(String, u32)| {
            in_use.get(subject).copied().unwrap_or_default() < self.limit.saturating_mul(*multiple)
        };
        if !subjects.iter().all(is_free) {
            return None;
        }
        let subjects: Vec<_> = subjects.into_iter().map(|(subject, _)| subject).collect();
        for subject in &subjects {
            *in_use.entry(subject.clone()).or_default() += 1;
        }
        drop(in_use);
        Some(Use { limit: self.clone(), subjects })
    }

    fn in_use(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        let mut in_use = self.limit.in_use();
        for subject in &self.subjects {
            if let Some(count) = in_use.get_mut(subject) {
                *count -= 1;
                if *count == 0 {
                    in_use.remove(subject);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_has_its_limit_and_is_forgotten_when_its_last_use_ends() {
        let limit = PerSubject::new(1);
        let begin = |subjects: &[(&str, u32)]| {
            limit.begin(subjects.iter().map(|(subject, multiple)| ((*subject).to_owned(), *multiple)).collect())
        };
        let one = begin(&[("one", 1), ("both", 2)]).unwrap();
        assert!(begin(&[("one", 1)]).is_none());
        let two = begin(&[("two", 1), ("both", 2)]).unwrap();
        assert!(begin(&[("three", 1), ("both", 2)]).is_none());
        assert!(begin(&[("three", 1)]).is_some(), "a refused use counts for no subject");
        drop(one);
        assert!(begin(&[("one", 1), ("both", 2)]).is_some());
        drop(two);
        assert!(limit.in_use().is_empty());
    }
}
