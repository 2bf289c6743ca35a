//! The client for programs without an asynchronous runtime (feature `blocking`).
//!
//! It has its own small runtime and runs the calls of the asynchronous client on it. It has the same operations with the same builders,
//! options and waits. Like other blocking calls, its calls panic inside asynchronous code:
//!
//! ```no_run
//! # fn main() -> Result<(), contentgen_sdk::Error> {
//! use contentgen_sdk::blocking::Client;
//! use contentgen_sdk::types::GenerateRequest;
//!
//! let client = Client::from_env()?;
//! let request = GenerateRequest::new().topic("Raised beds for a small garden").website_id("web_1");
//! let article = client.generate_and_wait(request).wait()?;
//! println!("{}", article.title.as_deref().unwrap_or("untitled"));
//! for lead in client.list_leads().website_id("web_1").items() {
//!     println!("{}", lead?.id);
//! }
//! # Ok(())
//! # }
//! ```

mod client;
mod lists;
mod runtime;

pub use client::Client;
pub use lists::{Items, Pages};
