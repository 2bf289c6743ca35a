//! A changed document, with a list of its changes.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::compatibility::Kind;

use super::additions::{self, AdditionKind};
use super::breaks;
use super::places::Change;
use super::random::Random;

/// Maximum number of changes of an evolution.
const CHANGES_MAX: usize = 20;
/// Percentage of changes that add members to responses: the document has the most places for them.
const MEMBERS_PERCENT: u32 = 40;
/// Maximum number of other kinds to try when a kind has no place in the document.
const TRIES: usize = 200;

/// A document with changes that the policy allows.
#[derive(Clone, Debug)]
pub(super) struct Evolution {
    pub(super) number: u64,
    pub(super) document: Value,
    pub(super) changes: Vec<Change<AdditionKind>>,
}

impl Evolution {
    /// Makes evolution number `number` of `today`.
    pub(super) fn allowed(today: &Value, seed: u64, number: u64) -> Result<Self> {
        let mut random = Random::of(seed, number);
        let mut document = today.clone();
        let wanted = 1 + random.below(CHANGES_MAX);
        // Each kind comes first in turn, so that every kind is tried.
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

    /// Adds the number of changes of each kind to `counts`.
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
    /// The document before the change, with the part that the change breaks.
    pub(super) before: Value,
    pub(super) document: Value,
    pub(super) change: Change<Kind>,
    pub(super) allowed: Vec<Change<AdditionKind>>,
}

impl ForbiddenEvolution {
    /// Makes forbidden evolution number `number` of `today`.
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
            // Only additions: a change that widens or narrows could undo the forbidden change.
            let kind = *random.one_of(AdditionKind::PURE).context("there is no kind of change")?;
            allowed.extend(additions::make(&mut document, kind, &mut random));
        }
        Ok(Self { number, before, document, change, allowed })
    }
}
