//! The writer that asks a language model: which endpoint, what it is asked, what its answers are taken
//! for, and what is taken out of them. How a draft becomes an article is in `assemble`.

mod base_url;
mod check;
mod draft_reading;
mod endpoint;
mod event_stream;
mod failure;
mod fitting;
mod grounding;
mod prompt;
mod provider;
mod reply;
mod request_form;
mod schema;
mod settings;
mod text;
mod transport;
mod writer;

pub use base_url::BaseUrl;
pub use check::{CheckLine, Verdict};
pub use provider::Provider;
pub use settings::{ModelSettings, SetUpError};
pub use writer::ModelWriter;
