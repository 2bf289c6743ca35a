//! Writing articles: the generators, and the one way from an order to a finished article.
//! Queues and states are known to the worker only; what an article must keep is in `domain::voice`.

pub mod assemble;
mod generator;
pub mod offline;
pub mod worker;

pub use assemble::write_article;
pub use generator::{
    ArticleDraft, ArticleGenerator, DraftSection, FailureCode, GenerationError, Order, OrderedWebsite,
};
pub use offline::OfflineWriter;
