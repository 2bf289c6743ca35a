//! Builds the suite with the changed server, in a copy of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::mutation::Mutation;
use super::switch::{self, Lines};

/// The file of the server that gets the switch.
const LIBRARY: &str = "server-stub/src/lib.rs";
/// Maximum number of builds until the changes that do not compile are gone.
const MAX_CHECKS: usize = 12;

/// The built suite, and the numbers of the changes in it.
pub(super) struct Built {
    pub(super) suite: PathBuf,
    pub(super) numbers: BTreeSet<u32>,
}

/// A copy of the workspace.
struct Copy<'mutations> {
    root: PathBuf,
    /// The unchanged sources by path.
    sources: BTreeMap<&'mutations str, String>,
    target: PathBuf,
}

/// Builds the suite with as many of the numbered changes as compile.
pub(super) fn build(root: &Path, folder: &Path, mutations: &BTreeMap<u32, Mutation>) -> Result<Built> {
    let copy = Copy::make(root, folder, mutations)?;
    let mut refused = BTreeSet::new();
    for _ in 0..MAX_CHECKS {
        let places = copy.write(mutations, &refused)?;
        let check = ["check", "--package", "contentgen-server-stub", "--lib"];
        let messages = copy.cargo(&check)?;
        let errors: Vec<&Value> = messages.iter().filter(|message| message["message"]["level"] == "error").collect();
        if errors.is_empty() {
            let build = ["build", "--package", "contentgen-conformance", "--bin", "contentgen-conformance"];
            let messages = copy.cargo(&build)?;
            let suite = messages.iter().find_map(|message| message["executable"].as_str());
            let suite =
                PathBuf::from(suite.with_context(|| format!("the suite was not built:\n{}", shown(&messages)))?);
            return Ok(Built { suite, numbers: places.into_iter().map(|(number, ..)| number).collect() });
        }
        let before = refused.len();
        for error in &errors {
            refused.extend(at_fault(error, &places, mutations));
        }
        if refused.len() == before {
            bail!("the copy does not compile, and no change is at fault:\n{}", shown(&messages));
        }
    }
    bail!("after {MAX_CHECKS} builds there are still changes that do not compile")
}

/// Returns the first errors among cargo's messages.
fn shown(messages: &[Value]) -> String {
    let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
    errors.filter_map(|error| error["message"]["rendered"].as_str()).take(5).collect()
}

/// Returns the changes at the places that an error names or, without one, the changes of functions that contain such a place: the type of
/// an early return may decide the type of the function.
fn at_fault(error: &Value, places: &[(u32, String, Lines)], mutations: &BTreeMap<u32, Mutation>) -> Vec<u32> {
    let spans = error["message"]["spans"].as_array().into_iter().flatten();
    let named: Vec<(&str, usize)> = spans
        .filter_map(|span| Some((span["file_name"].as_str()?, usize::try_from(span["line_start"].as_u64()?).ok()?)))
        .collect();
    let is_named = |file: &str, lines: &Lines| named.iter().any(|(name, line)| *name == file && lines.contains(line));
    let at = places.iter().filter(|(_, file, lines)| is_named(file, lines)).map(|(number, ..)| *number);
    let around = places.iter().filter(|(number, file, _)| {
        let span = mutations[number].span;
        is_named(file, &(span.start.line..span.end.line + 1))
    });
    let at: Vec<u32> = at.collect();
    if at.is_empty() { around.map(|(number, ..)| *number).collect() } else { at }
}

impl<'mutations> Copy<'mutations> {
    /// Copies the files that git knows.
    fn make(root: &Path, folder: &Path, mutations: &'mutations BTreeMap<u32, Mutation>) -> Result<Self> {
        let copy = folder.join("tree");
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output();
        let listed = listed.context("git cannot be run")?;
        ensure!(listed.status.success(), "git does not list the files of the workspace");
        for name in String::from_utf8(listed.stdout)?.split_terminator('\0') {
            let (from, to) = (root.join(name), copy.join(name));
            let Ok(content) = fs::read(&from) else { continue };
            write_if_changed(&to, &content)?;
        }
        let mut sources = BTreeMap::new();
        for name in mutations.values().map(|mutation| mutation.file.as_str()) {
            sources
                .insert(name, fs::read_to_string(root.join(name)).with_context(|| format!("{name} cannot be read"))?);
        }
        let library = fs::read_to_string(root.join(LIBRARY))?;
        write_if_changed(&copy.join(LIBRARY), format!("{library}{}", switch::MODULE).as_bytes())?;
        Ok(Self { root: copy, sources, target: folder.join("target") })
    }

    /// Writes the sources with all changes that are not refused. Returns the places of the changes.
    fn write(&self, mutations: &BTreeMap<u32, Mutation>, refused: &BTreeSet<u32>) -> Result<Vec<(u32, String, Lines)>> {
        let mut places = Vec::new();
        for (name, source) in &self.sources {
            let own: Vec<(u32, &Mutation)> = mutations
                .iter()
                .filter(|(number, mutation)| mutation.file == *name && !refused.contains(number))
                .map(|(number, mutation)| (*number, mutation))
                .collect();
            let (text, lines) =
                switch::with_switches(source, &own).with_context(|| format!("{name} cannot be changed"))?;
            write_if_changed(&self.root.join(name), text.as_bytes())?;
            places.extend(lines.into_iter().map(|(number, lines)| (number, (*name).to_owned(), lines)));
        }
        Ok(places)
    }

    /// Runs cargo in release mode, without lints. Returns its messages, also if it fails.
    fn cargo(&self, arguments: &[&str]) -> Result<Vec<Value>> {
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).args(["--release", "--locked", "--message-format=json"]);
        cargo.env("CARGO_TARGET_DIR", &self.target).env("RUSTFLAGS", "--cap-lints=allow");
        for name in ["RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_LINKS"] {
            cargo.env_remove(name);
        }
        let output = cargo.current_dir(&self.root).stderr(Stdio::inherit()).output().context("cargo cannot be run")?;
        let messages = String::from_utf8(output.stdout).context("the output of cargo is not UTF-8")?;
        Ok(messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// Writes a file. Cargo builds again what depends on a file that was written.
fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = path.parent().context("a file has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    fs::write(path, content).with_context(|| format!("{} cannot be written", path.display()))
}
