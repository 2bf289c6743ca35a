//! Leads: taking them in, reading them, erasing them.

mod capture_lead;
mod erase_lead;
mod get_lead;
mod list_leads;

pub use capture_lead::LeadSubmission;
