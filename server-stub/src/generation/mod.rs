//! Writes articles: the generators, and the pipeline from a brief to a finished article. Only `worker` handles queues and job
//! states. The rules for articles are in `domain::voice`.

pub mod assemble;
mod brief;
mod generator;
pub mod model;
pub mod offline;
pub mod worker;

pub use assemble::write_article;
pub use brief::brief;
pub use generator::{
    ArticleBrief, ArticleDraft, ArticleGenerator, BriefWebsite, DraftSection, FailureCode, GenerationError, UsageMeter,
};
pub use offline::OfflineWriter;
