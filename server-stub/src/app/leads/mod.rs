//! Leads: taking them in, reading them, handing them out, erasing them.

mod capture_lead;
mod erase_lead;
mod export_leads;
mod find_leads;
mod get_lead;
mod list_leads;

pub use capture_lead::LeadSubmission;
pub use find_leads::{LeadView, ListedLead, NamedArticle};
