//! Removes claims without a source from a draft: links, numbers, evidence and quotations that neither the request nor the profile
//! contains. The model cannot look up facts, so it made these up.
//!
//! `docs/writer.md` defines the rule. `claims` finds claims, `sources` finds sources, `markdown` parses Markdown and `emit` writes
//! it.

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
