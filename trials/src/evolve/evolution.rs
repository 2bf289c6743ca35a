//! A changed document, and what was changed.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::compatibility::Kind;

use super::additions::{self, AdditionKind};
use super::breaks;
use super::random::Random;

/// How many changes an evolution has at most.
const CHANGES_MAX: usize = 20;
/// How many of a hundred changes are new members of answers: there are most places for them.
const MEMBERS_PERCENT: u32 = 40;
/// How often another kind is tried when one has no place in the document.
const TRIES: usize = 200;

/// A change that was made.
#[derive(Clone, Debug)]
pub(super) struct Change<K> {
    pub(super) kind: K,
    /// Where, as a JSON pointer.
    pub(super) place: String,
    /// What, for people.
    pub(super) what: String,
}

/// A document with changes that the policy allows.
#[derive(Clone, Debug)]
pub(super) struct Evolution {
    pub(super) number: u64,
    pub(super) document: Value,
    pub(super) changes: Vec<Change<AdditionKind>>,
}

impl Evolution {
    /// Evolution number `number` of `today`.
    pub(super) fn allowed(today: &Value, seed: u64, number: u64) -> Result<Self> {
        let mut random = Random::of(seed, number);
        let mut document = today.clone();
        let wanted = 1 + random.below(CHANGES_MAX);
        // Each kind comes first in turn, so that none is left to chance.
        let first = AdditionKind::ALL[usize::try_from(number)? % AdditionKind::ALL.len()];
        let mut changes = Vec::new();
        changes.extend(additions::make(&mut document, first, &mut random));
        for _ in 0..TRIES {
            if changes.len() >= wanted {
                return Ok(Self { number, document, changes });
            }
            let kind = if random.happens(MEMBERS_PERCENT) {
                AdditionKind::AnswerMember
            } else {
                *random.one_of(AdditionKind::ALL).context("there is no kind of change")?
            };
            changes.extend(additions::make(&mut document, kind, &mut random));
        }
        bail!("the document has no place for the {wanted} changes of evolution {number}")
    }

    /// How many changes of each kind there are.
    pub(super) fn count_into(&self, counts: &mut BTreeMap<AdditionKind, usize>) {
        for change in &self.changes {
            *counts.entry(change.kind).or_default() += 1;
        }
    }
}

/// A document with one change that the policy forbids, among some that it allows.
#[derive(Clone, Debug)]
pub(super) struct ForbiddenEvolution {
    pub(super) number: u64,
    /// The document before, which has what the change breaks.
    pub(super) before: Value,
    pub(super) document: Value,
    pub(super) change: Change<Kind>,
    pub(super) allowed: Vec<Change<AdditionKind>>,
}

impl ForbiddenEvolution {
    /// Forbidden evolution number `number` of `today`.
    pub(super) fn make(today: &Value, seed: u64, number: u64) -> Result<Self> {
        let mut random = Random::of(seed.rotate_left(32), number);
        let kind = Kind::ALL[usize::try_from(number)? % Kind::ALL.len()];
        let no_place = || format!("the document has no place for the change {kind}");
        let before = breaks::prepared(today, kind, &mut random).with_context(no_place)?;
        let (mut document, change) = (0..TRIES)
            .find_map(|_| {
                let mut document = before.clone();
                let change = breaks::make(&mut document, kind, &mut random)?;
                Some((document, change))
            })
            .with_context(no_place)?;
        let mut allowed = Vec::new();
        for _ in 0..random.below(4) {
            // Only what adds: what widens or narrows could undo the change.
            let kind = *random.one_of(AdditionKind::PURE).context("there is no kind of change")?;
            allowed.extend(additions::make(&mut document, kind, &mut random));
        }
        Ok(Self { number, before, document, change, allowed })
    }
}
