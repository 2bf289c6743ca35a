//! What can go into the slots of a template. Which of it is used is decided in `sentence_renderer`.

use super::placeholder::Slot;
use super::subject_area::SubjectArea;
use super::topic::Topic;

/// What goes into the slots, and how elaborate the text shall be.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotValues<'a> {
    pub(super) topic: &'a Topic,
    pub(super) field: &'a SubjectArea,
    pub(super) term: &'a str,
    /// -1.3 (short and plain) to 2 (long and elaborate); which degree is tried first is said in `grade_fitting`.
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

impl<'a> SlotValues<'a> {
    /// What can fill the slot, empty where nothing can.
    pub(super) fn candidates(&self, slot: Slot, naming: Naming) -> &'a [String] {
        use std::slice::from_ref;
        let topic = self.topic;
        let optional = |text: &'a Option<String>| text.as_ref().map_or(&[][..], from_ref);
        match slot {
            Slot::Topic => match naming {
                Naming::Full => from_ref(&topic.noun),
                Naming::Short => from_ref(&topic.short),
                Naming::This => optional(&topic.this),
            },
            Slot::Bare => optional(&topic.bare),
            Slot::Question => optional(&topic.question),
            Slot::HowTo => optional(&topic.how_to),
            Slot::List => optional(&topic.list_title),
            Slot::FirstOption => topic.options.as_ref().map_or(&[][..], |(first, _)| from_ref(first)),
            Slot::SecondOption => topic.options.as_ref().map_or(&[][..], |(_, second)| from_ref(second)),
            Slot::Object => optional(&topic.object),
            Slot::Setting => optional(&topic.setting),
            Slot::Word => &topic.words,
            Slot::Term => &[],
            field_slot => field_slot.field_index().map_or(&[][..], |at| self.field.values[at].as_slice()),
        }
    }

    /// Whether the slot can be filled at all.
    pub(super) fn can_fill(&self, slot: Slot) -> bool {
        match slot {
            Slot::Term => !self.term.is_empty(),
            _ => !self.candidates(slot, Naming::Full).is_empty(),
        }
    }
}
