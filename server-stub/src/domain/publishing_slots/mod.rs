//! The times of the week at which a website publishes: how they are written, and which moments they are in a time zone.
//! Which of them are taken, the store knows.

mod moments;
mod slot;
mod text;

pub use slot::{MAX_SLOTS, PublishingSlot, PublishingSlots, SLOTS_AHEAD, SlotTime, Weekday};
pub use text::{MAX_TEXT_CHARS, TextError};
