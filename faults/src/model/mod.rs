//! A language model behind OpenAI's chat completions, in the dialects of real servers. It tests programs that ask a model for articles.

mod article;
mod completion;
mod dialect;
mod endpoint;
mod prompt;
mod random;

pub use article::DISCARDED_TITLE;
pub use dialect::{DIALECTS, Dialect};
pub use endpoint::{ModelEndpoint, ModelOptions};
