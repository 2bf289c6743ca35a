//! Whether the Rust versions that the packages for users state are true of all that they are built of. That their own code calls nothing
//! newer is seen by clippy (`incompatible_msrv`).

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The packages whose versions are promised to users, the SDK first.
const PACKAGES: [&str; 2] = ["contentgen-sdk", "contentgen-cli"];

/// Fails if a dependency of a package requires a newer Rust than the package states. Returns the SDK's stated version.
pub(super) fn check(root: &Path) -> Result<String> {
    let output = Command::new("cargo")
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo cannot be run")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let [sdk, cli] = PACKAGES;
    check_package(&metadata, cli)?;
    check_package(&metadata, sdk)
}

/// Checks one package. Returns its stated version.
fn check_package(metadata: &Value, name: &str) -> Result<String> {
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let packages: HashMap<&str, &Value> = packages.iter().map(|package| (text(package, "id"), package)).collect();
    let package = packages
        .values()
        .find(|package| text(package, "name") == name)
        .with_context(|| format!("cargo metadata has no package {name}"))?;
    let stated = text(package, "rust_version");
    let mut newer: Vec<String> = built_of(metadata, text(package, "id"))?
        .into_iter()
        .filter_map(|id| packages.get(id))
        .filter(|part| numbers(text(part, "rust_version")) > numbers(stated))
        .map(|part| {
            let [name, version, needed] = ["name", "version", "rust_version"].map(|member| text(part, member));
            format!("{name} {version} needs Rust {needed}")
        })
        .collect();
    newer.sort();
    ensure!(
        newer.is_empty(),
        "`rust-version` of {name} is {stated}, but {}.\nLock older versions with `cargo update --precise`, or raise `rust-version` in its \
         Cargo.toml.",
        newer.join(", ")
    );
    Ok(stated.to_owned())
}

/// Returns the ids of all packages in a package's build, including those for other systems, without dev-dependencies.
fn built_of<'a>(metadata: &'a Value, id: &'a str) -> Result<HashSet<&'a str>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata has no resolved dependencies")?;
    let nodes: HashMap<&str, &Value> = nodes.iter().map(|node| (text(node, "id"), node)).collect();
    let mut found = HashSet::from([id]);
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        let dependencies = nodes.get(id).and_then(|node| node["deps"].as_array()).into_iter().flatten();
        let is_built = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array();
            kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"] != "dev"))
        };
        let parts = dependencies.filter(is_built).map(|dependency| text(dependency, "pkg"));
        left.extend(parts.filter(|part| found.insert(part)));
    }
    Ok(found)
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Returns the numbers of a version, for comparison; missing numbers count as 0.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or_default());
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{check_package, numbers};

    /// Cargo's metadata of a package with a build dependency and a dev-dependency.
    #[test]
    fn what_a_package_is_built_of_counts_and_what_only_tests_need_does_not() {
        let package =
            |name: &str, needed: &str| json!({ "id": name, "name": name, "version": "1.0.0", "rust_version": needed });
        let by = |name: &str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = |of_a_part: &str| {
            json!({
                "packages": [package("ours", "1.88"), package("part", "1.70"), package("below", of_a_part), package("tests", "1.95")],
                "resolve": { "nodes": [
                    { "id": "ours", "deps": [by("part", None), by("tests", Some("dev"))] },
                    { "id": "part", "deps": [by("below", Some("build"))] },
                ] }
            })
        };
        assert_eq!(check_package(&metadata("1.88"), "ours").unwrap(), "1.88");
        let error = check_package(&metadata("1.89"), "ours").unwrap_err().to_string();
        assert!(error.contains("below 1.0.0 needs Rust 1.89") && !error.contains("tests"), "{error}");
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("1.100") > numbers("1.94"));
        assert!(numbers("1.94.1") > numbers("1.94"));
        assert_eq!(numbers("1.94"), numbers("1.94.0"));
        assert!(numbers("") < numbers("1.56"));
    }
}
