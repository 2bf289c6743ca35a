//! What an operator sets up from the command line and a user in the dashboard: accounts, websites, Brand DNA, keys, hooks. Showing it is
//! their business.

mod accounts;
mod bounds;
mod error;
mod hooks;
mod keys;
mod publishing;
mod voices;
mod websites;

pub use error::{AdminError, Setting};
pub use hooks::HookSettings;
pub use keys::{KeyQuery, NewKey};
pub use publishing::PublishTo;
pub use voices::{ListedVoice, MAX_CHECKED_CHARS, VoiceTrial};
pub use websites::WebsiteSettings;
