//! Runs the program `cargo` for tasks of other crates.

use std::process::Command;

/// Returns a `cargo` command without the variables that cargo set for this program.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    // `cargo xtask` sets these for this program. Build scripts that read them would run again, and their dependents would be rebuilt.
    for name in ["NAME", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "VERSION_PRE"] {
        cargo.env_remove(format!("CARGO_PKG_{name}"));
    }
    cargo.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_LINKS");
    cargo
}
