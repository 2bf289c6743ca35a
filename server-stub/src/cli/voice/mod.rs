//! `voice check`, `voice learn` and `voice template`: voices in files, for users who write in an editor and check in CI.

mod check;
mod learn;
mod profile_file;

pub(super) use check::check;
pub(super) use learn::learn;
pub(super) use profile_file::{read as read_profile, template};
