//! Lists that shrink by cuts: the whole list, halves, quarters, …, single items.
//!
//! The lists of `proptest` shrink by single items, which takes too many requests for a text of 1,000 letters.

use std::fmt::Debug;

use proptest::strategy::{NewTree, SBoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Lists that `items` draws.
#[derive(Debug)]
pub(super) struct Lists<Item: Debug> {
    pub(super) items: SBoxedStrategy<Vec<Item>>,
    pub(super) minimum: usize,
    /// Returns true if a list is valid, given the minimum.
    pub(super) is_valid: fn(&[Item], usize) -> bool,
    /// Returns the simplest item that can replace an item.
    pub(super) simplest: fn(&Item) -> Item,
}

impl<Item: Debug + Clone + PartialEq> Strategy for Lists<Item> {
    type Tree = ListTree<Item>;
    type Value = Vec<Item>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let items = self.items.new_tree(runner)?.current();
        let (minimum, is_valid, simplest) = (self.minimum, self.is_valid, self.simplest);
        Ok(ListTree { items, minimum, is_valid, simplest, next: Step::All, last: None })
    }
}

/// A list and its next simplification.
pub(super) struct ListTree<Item> {
    items: Vec<Item>,
    minimum: usize,
    is_valid: fn(&[Item], usize) -> bool,
    simplest: fn(&Item) -> Item,
    next: Step,
    /// The list before the last simplification, and the step that follows if that one was wrong.
    last: Option<(Vec<Item>, Step)>,
}

/// A simplification of a list.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Replaces all items.
    All,
    /// Removes `size` items at `from`.
    Cut { size: usize, from: usize },
    /// Replaces the item at this index.
    One(usize),
    /// Does nothing: all simplifications were tried.
    Done,
}

impl Step {
    /// Returns the step after this one in a list of `length` items.
    fn following(self, length: usize) -> Self {
        match self {
            Self::All => Self::Cut { size: length.max(1), from: 0 },
            Self::Cut { size, from } if from + size < length => Self::Cut { size, from: from + size },
            Self::Cut { size: 1, .. } => Self::One(0),
            Self::Cut { size, .. } => Self::Cut { size: size / 2, from: 0 },
            Self::One(at) if at + 1 < length => Self::One(at + 1),
            Self::One(_) | Self::Done => Self::Done,
        }
    }
}

impl<Item: Clone> ListTree<Item> {
    fn simplified(&self, step: Step) -> Vec<Item> {
        let replaced = |at: usize, item: &Item| match step {
            Step::All => (self.simplest)(item),
            Step::One(place) if place == at => (self.simplest)(item),
            _ => item.clone(),
        };
        let is_cut = |at: usize| matches!(step, Step::Cut { size, from } if (from..from + size).contains(&at));
        let items = self.items.iter().enumerate().filter(|(at, _)| !is_cut(*at));
        items.map(|(at, item)| replaced(at, item)).collect()
    }
}

impl<Item: Debug + Clone + PartialEq> ValueTree for ListTree<Item> {
    type Value = Vec<Item>;

    fn current(&self) -> Vec<Item> {
        self.items.clone()
    }

    fn simplify(&mut self) -> bool {
        while !matches!(self.next, Step::Done) {
            let following = self.next.following(self.items.len());
            let simplified = self.simplified(self.next);
            if simplified != self.items && (self.is_valid)(&simplified, self.minimum) {
                self.last = Some((std::mem::replace(&mut self.items, simplified), following));
                return true;
            }
            self.next = following;
        }
        false
    }

    fn complicate(&mut self) -> bool {
        let Some((items, next)) = self.last.take() else { return false };
        (self.items, self.next) = (items, next);
        true
    }
}
