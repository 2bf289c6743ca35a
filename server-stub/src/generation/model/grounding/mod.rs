//! Removes claims without a source from a draft: links, numbers, evidence and quotations that neither the request nor the profile
//! contains. The model cannot look up facts, so it made these up.
//!
//! `docs/writer.md` defines the rule. `claims` finds claims, `addresses` finds addresses, `sources` finds sources, `markdown` parses Markdown and `emit` writes
//! it.

mod addresses;
mod claims;
mod emit;
mod filter;
mod markdown;
mod patterns;
mod quotations;
mod sentences;
mod sources;
mod spans;

pub(super) use emit::emit;
pub(super) use filter::{Removal, ground};
pub(super) use markdown::blocks;
