//! Weekly times at which a website publishes: their text form, and their moments in a time zone. The store decides which slots
//! are taken.

mod moments;
mod slot;
mod text;

pub use slot::{MAX_SLOTS, PublishingSlot, PublishingSlots, SLOTS_AHEAD, SlotTime, Weekday};
pub use text::{MAX_TEXT_CHARS, TextError};
