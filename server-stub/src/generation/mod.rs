//! Writing articles: the generators, and the one way from a brief to a finished article.
//! Queues and states are known to the worker only; what an article must keep is in `domain::voice`.

pub mod assemble;
mod generator;
pub mod model;
pub mod offline;
mod usage_meter;
pub mod worker;

pub use assemble::write_article;
pub use generator::{
    ArticleBrief, ArticleDraft, ArticleGenerator, BriefWebsite, DraftSection, FailureCode, GenerationError,
};
pub use offline::OfflineWriter;
pub use usage_meter::UsageMeter;
