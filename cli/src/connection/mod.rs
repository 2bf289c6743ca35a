//! Finds server, key and website in a ready file, in a profile, or on the command line and in the environment.

mod keyless;
mod new_profile;
mod open;
mod printed;
mod profile;
mod ready_file;
mod secret;
mod target;

pub(crate) use keyless::{KeylessClient, is_here};
pub(crate) use new_profile::NewProfile;
pub(crate) use open::{Connection, hook_secrets};
