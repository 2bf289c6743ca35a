//! The worker: from a queued job to an article, whatever the generator does.

mod claiming;
mod harness;
mod jobs;
mod scripted;
