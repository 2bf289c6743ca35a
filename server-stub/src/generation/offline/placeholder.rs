//! The places in a template that the writer fills, and the joints between clauses; what is filled in is in `slot_values`.

/// A place in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The topic as a noun phrase.
    Topic,
    /// The topic as it stands in a title.
    Bare,
    /// The topic as "how to …".
    HowTo,
    /// The topic as the question that was asked, with its question mark.
    Question,
    /// The topic as the list that was ordered, such as "10 ways to …".
    List,
    /// The first of two options that the topic compares.
    FirstOption,
    /// The second of them.
    SecondOption,
    /// What the topic's action is done to, or the head of its noun phrase.
    Object,
    /// Under what circumstances, or for whom: "in spring", "for beginners".
    Setting,
    /// A word of the topic or a keyword, in quotation marks.
    Word,
    /// An ordered keyword or a required term.
    Term,
    /// What can be observed in the topic's field.
    Sign,
    /// What is needed.
    Supply,
    /// Where it happens.
    Place,
    /// Who can be asked.
    Helper,
    /// Something small to try it on.
    Trial,
    /// The time after which something shows.
    Span,
    /// What usually goes wrong.
    Risk,
    /// Where notes are kept.
    Record,
    /// What is worked with.
    Gear,
    /// What is done there.
    Action,
    /// What a success looks like.
    Result,
    /// A small mistake.
    Fault,
    /// Who does it.
    People,
    /// When it is done.
    Moment,
}

/// The slots whose values depend on the topic's field, by their names in the prose.
pub(super) const FIELD_SLOTS: [(&str, Slot); 14] = [
    ("sign", Slot::Sign),
    ("supply", Slot::Supply),
    ("place", Slot::Place),
    ("helper", Slot::Helper),
    ("trial", Slot::Trial),
    ("span", Slot::Span),
    ("risk", Slot::Risk),
    ("record", Slot::Record),
    ("gear", Slot::Gear),
    ("action", Slot::Action),
    ("result", Slot::Result),
    ("fault", Slot::Fault),
    ("people", Slot::People),
    ("moment", Slot::Moment),
];

impl Slot {
    pub(super) fn named(name: &str) -> Option<Self> {
        let own = match name {
            "topic" => Self::Topic,
            "bare" => Self::Bare,
            "how" => Self::HowTo,
            "question" => Self::Question,
            "list" => Self::List,
            "first" => Self::FirstOption,
            "second" => Self::SecondOption,
            "object" => Self::Object,
            "setting" => Self::Setting,
            "word" => Self::Word,
            "term" => Self::Term,
            _ => return FIELD_SLOTS.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot),
        };
        Some(own)
    }

    /// The place of a field's slot among `FIELD_SLOTS`.
    pub(super) fn field_index(self) -> Option<usize> {
        FIELD_SLOTS.iter().position(|(_, slot)| *slot == self)
    }
}

/// Where two clauses meet that may also be two sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    And,
    But,
    So,
    Semicolon,
    Colon,
}

impl Joint {
    /// The joint with which the text begins, and what follows it.
    pub(super) fn read(text: &str) -> Option<(Self, &str)> {
        let joints = [
            (" +and ", Self::And),
            (" +but ", Self::But),
            (" +so ", Self::So),
            (" +; ", Self::Semicolon),
            (" +: ", Self::Colon),
        ];
        joints.into_iter().find_map(|(mark, joint)| text.strip_prefix(mark).map(|after| (joint, after)))
    }
}
