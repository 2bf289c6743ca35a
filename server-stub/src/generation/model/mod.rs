//! The generator that asks a language model: settings and transport, prompts, parsing of responses, and removal of claims without a
//! source. `assemble` turns a draft into an article.

mod base_url;
mod check;
mod draft_reading;
mod endpoint;
mod event_stream;
mod failure;
mod fitting;
mod grounding;
mod prompt;
mod providers;
mod proxy;
mod reply;
mod request_form;
mod response;
mod schema;
mod settings;
mod text;
mod transport;
mod writer;

pub use base_url::BaseUrl;
pub use check::{CheckLine, Verdict};
pub use providers::Provider;
pub use proxy::ModelProxy;
pub use settings::{ModelSettings, SetUpError};
pub use writer::ModelWriter;
