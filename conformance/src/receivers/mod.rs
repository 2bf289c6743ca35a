//! Rules for receivers of webhooks: here the suite is the sender, and the target is a receiver of the service's events.
//!
//! `sender` builds, signs and sends events, `rules` lists the requirements, and `checks` decides them.

mod checks;
mod contract;
mod rules;
mod sender;

pub use contract::WebhookReceiver;
pub use sender::{AskEffects, Sender};
