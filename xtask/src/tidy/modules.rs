//! Reads the table of modules in `ARCHITECTURE.md`, which lists the permitted imports of each module. `imports` checks the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// The page with the table.
pub(super) const PAGE: &str = "ARCHITECTURE.md";
/// The first cells of the table's head.
const HEAD: [&str; 3] = ["Crate", "Module", "May import"];

/// The modules of each crate, and their permitted imports.
#[derive(Debug, Default)]
pub(super) struct Modules {
    by_crate: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Modules {
    /// Returns the modules of a crate with their permitted imports, if the table has the crate.
    pub(super) fn of(&self, crate_folder: &str) -> Option<&BTreeMap<String, BTreeSet<String>>> {
        self.by_crate.get(crate_folder)
    }
}

/// Reads the table from the page in the workspace root.
pub(super) fn read(root: &Path) -> Result<Modules> {
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).with_context(|| format!("{} cannot be read", page.display()))?;
    let modules = parse(&text);
    if modules.by_crate.is_empty() {
        bail!("{PAGE} has no table with the columns {}", HEAD.join(", "));
    }
    Ok(modules)
}

/// Reads the rows of the table.
fn parse(text: &str) -> Modules {
    let mut modules = Modules::default();
    for (_, cells) in rows(text, &HEAD) {
        let [crate_folder, module, imports, ..] = cells.as_slice() else { continue };
        let imports =
            imports.split([',', ' ']).filter(|name| !name.is_empty() && *name != "–").map(str::to_owned).collect();
        modules.by_crate.entry(crate_folder.clone()).or_default().insert(module.clone(), imports);
    }
    modules
}

/// Returns the rows of the first Markdown table whose head begins with `head`: the line (1-based) and the cells of each.
pub(super) fn rows(text: &str, head: &[&str]) -> Vec<(usize, Vec<String>)> {
    let is_head = |line: &str| cells(line).get(..head.len()).is_some_and(|cells| cells == head);
    let table = text.lines().enumerate().skip_while(|(_, line)| !is_head(line)).skip(2);
    let rows = table.take_while(|(_, line)| line.trim_start().starts_with('|'));
    rows.map(|(index, line)| (index + 1, cells(line))).collect()
}

/// Returns the cells of a row of a Markdown table, without their code marks.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| cell.replace('`', "").trim().to_owned()).collect()
}
