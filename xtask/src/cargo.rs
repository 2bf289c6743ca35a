//! The program `cargo`, run for what another crate does.

use std::process::Command;

/// `cargo`, as if this program had not been run by it.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    // `cargo xtask` sets them for this program; build scripts that look at them would run again, and all that needs them.
    for name in ["NAME", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "VERSION_PRE"] {
        cargo.env_remove(format!("CARGO_PKG_{name}"));
    }
    cargo.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_LINKS");
    cargo
}
