//! A language model as its operator pays for it: the key for it, and what writing asks of it.

mod key;
mod usage;

pub use key::ModelKey;
pub use usage::{ModelPrices, ModelUsage};
