//! Requirements: a folder for each area, in it files of related subjects.
//!
//! An id is `area.subject.property`, and all requirements of one subject are in one file: `jobs.cancel.*` is in `jobs/cancel.rs`, and
//! `jobs.etag.*` with other headers in `jobs/headers.rs`. Each file has a function `requirements`. The build script declares the modules
//! and lists these functions, so a new file needs no entry anywhere.

mod catalogue;

pub use catalogue::catalogue;

use crate::check::Requirement;

include!(concat!(env!("OUT_DIR"), "/requirements.rs"));
