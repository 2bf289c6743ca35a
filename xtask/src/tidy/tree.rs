//! The files of the workspace, read once.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Folders without hand-written files.
const SKIPPED: [&str; 3] = ["target", "node_modules", ".git"];
/// Extensions of other text files.
const TEXTS: [&str; 7] = ["css", "html", "js", "md", "sql", "toml", "txt"];
/// Mark in the first lines of a generated file.
const GENERATED_MARK: &str = "@generated";

/// A Rust source file.
#[derive(Debug)]
pub(super) struct Source {
    /// Its path, relative to the workspace root.
    pub(super) path: PathBuf,
    /// Its text.
    pub(super) text: String,
}

impl Source {
    /// Returns true if a tool wrote the file.
    pub(super) fn is_generated(&self) -> bool {
        self.text.lines().take(5).any(|line| line.contains(GENERATED_MARK))
    }

    /// Returns true if no part of the file belongs to a program: it lies in a folder `tests`, or its name ends with `tests.rs`.
    pub(super) fn is_test(&self) -> bool {
        self.path.components().any(|part| part.as_os_str() == "tests")
            || self.path.to_str().is_some_and(|path| path.ends_with("tests.rs"))
    }

    /// The crate's folder and the file's place below its `src`, if it lies there.
    pub(super) fn place(&self) -> Option<(&str, Vec<&str>)> {
        let mut parts = self.path.iter().filter_map(|part| part.to_str());
        let crate_folder = parts.next()?;
        (parts.next()? == "src").then(|| (crate_folder, parts.collect()))
    }
}

/// The files that the rules check.
#[derive(Debug)]
pub(super) struct Tree {
    sources: Vec<Source>,
    manifests: Vec<(PathBuf, String)>,
    texts: Vec<(PathBuf, String)>,
}

impl Tree {
    /// Reads all Rust sources, manifests and other texts below `root`.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut tree = Self { sources: Vec::new(), manifests: Vec::new(), texts: Vec::new() };
        tree.read_folder(root, Path::new(""))?;
        tree.sources.sort_by(|one, other| one.path.cmp(&other.path));
        tree.manifests.sort();
        Ok(tree)
    }

    /// The Rust sources, by path.
    pub(super) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The manifests with their text, by path.
    pub(super) fn manifests(&self) -> &[(PathBuf, String)] {
        &self.manifests
    }

    /// Every file with its text: sources, manifests and others.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &str)> {
        let sources = self.sources.iter().map(|source| (source.path.as_path(), source.text.as_str()));
        let others = self.manifests.iter().chain(&self.texts);
        sources.chain(others.map(|(path, text)| (path.as_path(), text.as_str())))
    }

    fn read_folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let absolute = root.join(folder);
        let entries = fs::read_dir(&absolute).with_context(|| format!("{} cannot be read", absolute.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() && !SKIPPED.iter().any(|name| entry.file_name() == *name) {
                self.read_folder(root, &path)?;
            } else if kind.is_file() {
                self.read_file(root, path)?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, root: &Path, path: PathBuf) -> Result<()> {
        let is_manifest = path.file_name().is_some_and(|name| name == "Cargo.toml");
        let ends_with = |wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
        let is_source = ends_with("rs");
        if !is_source && !TEXTS.into_iter().any(ends_with) {
            return Ok(());
        }
        let text =
            fs::read_to_string(root.join(&path)).with_context(|| format!("{} is not readable text", path.display()))?;
        if is_source {
            self.sources.push(Source { path, text });
        } else if is_manifest {
            self.manifests.push((path, text));
        } else {
            self.texts.push((path, text));
        }
        Ok(())
    }
}
