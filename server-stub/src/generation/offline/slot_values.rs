//! What goes into the slots and joints of a template sentence. Which of it is used is decided in `sentence_renderer`.

use super::sentence::{Joint, Slot};
use super::topic::Topic;

/// What goes into the slots, and how elaborate the text shall be.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotValues<'a> {
    pub(super) topic: &'a Topic,
    pub(super) term: &'a str,
    /// -1 (short and plain) to 2 (long and elaborate); 0.5 reads most naturally.
    pub(super) elaboration: f64,
    /// Joints always join.
    pub(super) joined: bool,
    /// The topic may be named in short.
    pub(super) may_shorten: bool,
}

/// How a sentence names the topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Full,
    Short,
    This,
}

impl SlotValues<'_> {
    pub(super) fn fill(&self, slot: Slot, naming: Naming) -> Option<&str> {
        match slot {
            Slot::Topic => Some(match naming {
                Naming::Full => &self.topic.noun,
                Naming::Short => &self.topic.short,
                Naming::This => "this",
            }),
            Slot::Question => self.topic.question.as_deref(),
            Slot::HowTo => self.topic.how_to.as_deref(),
            Slot::FirstOption => self.topic.options.as_ref().map(|(first, _)| first.as_str()),
            Slot::SecondOption => self.topic.options.as_ref().map(|(_, second)| second.as_str()),
            Slot::Term => Some(self.term).filter(|term| !term.is_empty()),
        }
    }
}

/// How two clauses join.
pub(super) fn joined(joint: Joint) -> &'static str {
    match joint {
        Joint::And => ", and ",
        Joint::But => ", but ",
        Joint::So => ", so ",
        Joint::Semicolon => "; ",
        Joint::Colon => ": ",
    }
}

/// How the second of two clauses begins as a sentence.
pub(super) fn separate(joint: Joint) -> &'static str {
    match joint {
        Joint::And | Joint::Semicolon | Joint::Colon => "",
        Joint::But => "But ",
        Joint::So => "So ",
    }
}
