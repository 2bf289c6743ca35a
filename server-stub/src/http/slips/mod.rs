//! Slips and benign variants at the edge: what becomes of a finished answer on its way out, as a framework, a serialiser or a
//! proxy would have it. Only in builds with the feature `faults`.

mod answer;
mod bodies;
mod headers;
mod problems;
mod records;
mod rendering;
mod spoil;
mod times;
mod variants;

pub(super) use self::answer::Asked;
pub(super) use self::spoil::{readdress, spoil};
