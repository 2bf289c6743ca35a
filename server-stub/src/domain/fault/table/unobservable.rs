//! Slips that no exchange of the suite shows, each with the reason.

use super::super::{Fault, Kind};

/// The key is compared character by character.
pub const COMPARED_IN_STEPS: Fault = Fault {
    name: "unobservable.compared-in-steps",
    area: "unobservable",
    description: "Keys are compared in a time that depends on where they differ.",
    kind: Kind::Unobservable("The difference is nanoseconds, far below what the network adds."),
};

/// An expired token works.
pub const TOKENS_FOR_EVER: Fault = Fault {
    name: "unobservable.tokens-for-ever",
    area: "unobservable",
    description: "Page tokens never expire.",
    kind: Kind::Unobservable("They have to be valid for a day, and no run lasts as long."),
};

pub(super) const ALL: &[Fault] = &[COMPARED_IN_STEPS, TOKENS_FOR_EVER];
