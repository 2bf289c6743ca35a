//! Whether the Rust version that `Cargo.toml` states is true of all that is built. That the workspace's own code calls nothing
//! newer is seen by clippy (`incompatible_msrv`).

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The package whose version is promised to users.
const PACKAGE: &str = "contentgen-sdk";

/// Fails when a dependency in the lock file says that it needs a newer Rust than the SDK says. Gives what the SDK says.
pub(super) fn check(root: &Path) -> Result<String> {
    let output = Command::new("cargo")
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo cannot be run")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo lists packages")?;
    let text = |package: &Value, member: &str| package[member].as_str().unwrap_or_default().to_owned();
    let sdk = packages.iter().find(|package| text(package, "name") == PACKAGE).context("the SDK is a package")?;
    let stated = text(sdk, "rust_version");
    let newer = packages.iter().filter(|package| numbers(&text(package, "rust_version")) > numbers(&stated));
    let newer: Vec<String> = newer
        .map(|package| {
            let [name, version, needed] = ["name", "version", "rust_version"].map(|member| text(package, member));
            format!("{name} {version} needs Rust {needed}")
        })
        .collect();
    ensure!(
        newer.is_empty(),
        "`rust-version` is {stated}, but {}.\nLock older versions with `cargo update --precise`, or raise `rust-version` in Cargo.toml.",
        newer.join(", ")
    );
    Ok(stated)
}

/// The numbers of a version, for comparing; what is missing counts as 0.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or_default());
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("1.100") > numbers("1.94"));
        assert!(numbers("1.94.1") > numbers("1.94"));
        assert_eq!(numbers("1.94"), numbers("1.94.0"));
        assert!(numbers("") < numbers("1.56"));
    }
}
