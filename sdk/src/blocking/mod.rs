//! The client for programs without an asynchronous runtime (feature `blocking`).
//!
//! It has its own small runtime and runs the calls of the asynchronous client on it. It therefore offers every operation, option and
//! wait. Like other blocking calls, its calls panic inside asynchronous code:
//!
//! ```no_run
//! # fn main() -> Result<(), contentgen_sdk::Error> {
//! use contentgen_sdk::blocking::Client;
//! use contentgen_sdk::types::GenerateRequest;
//!
//! let client = Client::from_env()?;
//! let request = GenerateRequest::builder().topic("Raised beds for a small garden").website_id("web_1");
//! let article = client.generate_and_wait(request, |wait| wait)?;
//! println!("{}", article.title.as_deref().unwrap_or("untitled"));
//! for lead in client.list_leads(|leads| leads.website_id("web_1")) {
//!     println!("{}", lead?.id);
//! }
//! # Ok(())
//! # }
//! ```

mod client;
mod items;
mod operations;
mod runtime;

pub use client::Client;
pub use items::Items;
