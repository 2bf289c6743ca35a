//! What a model is asked to write: the rules and the voice profile as system prompt, the order and its outline as the user's message, and
//! what is to be repaired. Texts of others stand between marks that nobody can guess.

mod delimiters;
mod outline;
mod repair;
mod system;
mod user;

pub(super) use delimiters::Delimiters;
pub(super) use repair::{again, repair};
pub(super) use system::system;
pub(super) use user::user;
