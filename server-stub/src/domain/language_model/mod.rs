//! Language models: the operator's API key, and the use and cost of requests.

mod key;
mod usage;

pub use key::ModelKey;
pub use usage::{ModelPrices, ModelUsage};
