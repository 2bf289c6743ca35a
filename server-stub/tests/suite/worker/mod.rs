//! The worker: from a queued job to an article, whatever the generator does.

mod jobs;
mod scripted;
