//! Takes out of a draft what has no source: links, numbers, evidence and quotations that neither the order nor the profile says. A model
//! cannot look anything up, so whatever it tells of the kind is made up.
//!
//! The rule, exactly, is in `docs/writer.md`; what counts is in `claims`, what is a source in `sources`, and how Markdown is taken apart
//! and put together again in `markdown` and `emit`.

mod claims;
mod draft;
mod emit;
mod markdown;
mod patterns;
mod quotations;
mod sentences;
mod sources;
mod spans;

pub(super) use draft::{Removal, ground};
pub(super) use emit::emit;
pub(super) use markdown::blocks;
