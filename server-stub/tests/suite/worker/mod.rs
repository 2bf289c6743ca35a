//! The worker: from a queued job to an article, with any behaviour of the generator.

mod claiming;
mod harness;
mod jobs;
mod scripted;
