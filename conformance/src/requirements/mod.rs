//! Requirements: a folder for each area, a file for each subject.
//!
//! A file is named after the first two words of the ids in it: `jobs.cancel.idempotent` is in `jobs/cancel.rs`. Two files are tables
//! instead, in which each row is a requirement of another subject: `answers/schemas.rs` and `headers/forms.rs`. Each file has a function
//! `requirements`. The build script declares the modules and lists these functions, so a new file needs no entry anywhere.

mod catalogue;

pub use catalogue::catalogue;

use crate::check::Requirement;

include!(concat!(env!("OUT_DIR"), "/requirements.rs"));
