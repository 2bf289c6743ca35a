//! What a model is asked to write: the rules and the voice profile as system prompt, the order and its outline as message, and what is
//! to be repaired. Texts of others stand between marks that nobody can guess.

mod fence;
mod order;
mod outline;
mod repair;
mod system;

pub(super) use fence::Fence;
pub(super) use order::order;
pub(super) use repair::{again, repair};
pub(super) use system::system;
