//! `cargo xtask dist` with programs that are scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

/// A program that prints its version and its words, and writes a file after `--output-dir`.
const SCRIPT: &str = r#"#!/bin/sh
case "$1 $2" in
  "--version ") echo "NAME 1.2.3" ;;
  "man --output-dir") echo page >"$3/contentgen.1" ;;
  *) echo "$@" ;;
esac
"#;

/// Writes the programs. Another process writes them, so that no process of these tests holds one open for writing.
fn programs(folder: &Path) {
    for name in ["contentgen", "contentgen-server", "contentgen-conformance", "contentgen-faults"] {
        let path = folder.join(name);
        let draft = folder.join("draft");
        fs::write(&draft, SCRIPT.replace("NAME", name)).expect("the folder can be written to");
        assert!(Command::new("cp").arg(&draft).arg(&path).status().expect("there is a cp command").success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    }
}

fn dist(programs: &Path, out: &Path) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.arg("dist").arg("--programs").arg(programs).arg("--out").arg(out).output().expect("xtask runs")
}

#[test]
fn archives_have_program_docs_and_completions_and_their_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let (built, out) = (folder.path().join("built"), folder.path().join("dist"));
    fs::create_dir(&built).unwrap();
    programs(&built);
    let done = dist(&built, &out);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap();
    assert_eq!((sums.lines().count(), fs::read_dir(&out).unwrap().count()), (4, 5), "{sums}");
    let checked = Command::new("sha256sum").arg("--check").arg("SHA256SUMS").current_dir(&out).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let release = format!("contentgen-1.2.3-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let listed = Command::new("tar").arg("-tzf").arg(out.join(format!("{release}.tar.gz"))).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for file in
        ["contentgen", "LICENSE-MIT", "README.md", "CHANGELOG.md", "completions/_contentgen", "man/contentgen.1"]
    {
        assert!(listed.lines().any(|line| line == format!("{release}/{file}")), "{file} is not in {listed}");
    }
}

#[test]
fn a_program_that_does_not_run_from_an_empty_folder_fails_the_task() {
    let folder = tempfile::tempdir().unwrap();
    let built = folder.path().join("built");
    fs::create_dir(&built).unwrap();
    programs(&built);
    // It needs a file beside the folder in which it was built.
    let needy = SCRIPT.replace("NAME", "contentgen-faults").replace("*) echo", "*) cat ../built/draft && echo");
    fs::write(built.join("contentgen-faults"), needy).unwrap();
    let done = dist(&built, &folder.path().join("dist"));
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success() && error.contains("contentgen-faults-1.2.3"), "{error}");
}
