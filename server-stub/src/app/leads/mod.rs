//! Captures, reads, exports and erases leads.

mod capture_lead;
mod confirm_lead;
mod find_leads;
mod person;

pub use capture_lead::LeadSubmission;
pub use confirm_lead::LinkState;
pub use find_leads::{LeadView, ListedLead, NamedArticle};
pub use person::{PersonLead, Recipient};
