//! Lists the public items of the SDK, with all its features, from rustdoc's JSON.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The package, and the name that rustdoc gives its file.
const PACKAGE: &str = "contentgen-sdk";
const FILE: &str = "doc/contentgen_sdk.json";
/// Separate build folder: sharing one would rebuild everything else, because this build has other settings.
const TARGET: &str = "target/api";
/// The features that add items. `native-tls`, which needs a library of the system, adds one variant of `TlsBackend`, and is left out.
const FEATURES: &str = "axum,blocking,test-util";

/// Returns the listing, one item on each line.
pub(super) fn of_sdk(root: &Path) -> Result<String> {
    let target = root.join(TARGET);
    let arguments = ["rustdoc", "--quiet", "--locked", "--lib", "--package", PACKAGE, "--features", FEATURES];
    let status = Command::new("cargo")
        .args(arguments)
        .args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"])
        // The stable rustdoc writes JSON too, but only with this variable, because the format may change.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(status.success(), "rustdoc failed; its messages above say why");
    let items = public_api::Builder::from_rustdoc_json(target.join(FILE))
        // Omit implementations that every type has.
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .context(
            "this Rust writes its JSON in a format that `public-api` cannot read: use the version of `public-api` that can",
        )?;
    let mut listing = String::new();
    for item in items.items() {
        let _infallible = writeln!(listing, "{item}");
    }
    Ok(listing)
}
