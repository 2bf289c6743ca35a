//! Prompts for the model: the rules and the voice profile as system prompt, the request and its outline as the user's message, and
//! requests for repairs. Untrusted texts are between random delimiters.

mod delimiters;
mod outline;
mod repair;
mod system;
mod user;

pub(super) use delimiters::Delimiters;
pub(super) use repair::{again, repair};
pub(super) use system::system;
pub(super) use user::user;
