//! `voice check`, `voice learn` and `voice template`: voices in files, for users who write in an editor and check in CI.

mod check;
mod profile_file;

pub(super) use check::check;
pub(super) use profile_file::{learn, read as read_profile, template};
