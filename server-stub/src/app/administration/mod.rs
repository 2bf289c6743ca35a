//! Administration by an operator (command line) or a user (dashboard): accounts, websites, Brand DNA, keys. The command line
//! and the dashboard present the results.

mod accounts;
mod keys;
mod publishing;
mod voices;
mod websites;

pub use keys::{KeyQuery, NewKey};
pub use publishing::PublishTo;
pub use voices::{ListedVoice, MAX_CHECKED_CHARS, VoiceTrial};
pub use websites::WebsiteSettings;
