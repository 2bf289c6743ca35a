//! `list`: the catalogue as a table or as JSON.
//!
//! Single requirements are shown by `explain`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::arguments::ListArguments;
use crate::check::Requirement;
use crate::requirements::catalogue;

/// Writes the catalogue.
pub(super) fn list(arguments: &ListArguments, output: &mut impl Write) -> io::Result<()> {
    let chosen: Vec<Requirement> = catalogue()
        .into_iter()
        .filter(|requirement| arguments.profile.is_none_or(|profile| requirement.profile <= profile))
        .collect();
    if arguments.json {
        let rows: Vec<Value> = chosen.iter().map(row).collect();
        return writeln!(output, "{:#}", Value::Array(rows));
    }
    let width = chosen.iter().map(|requirement| requirement.id.len()).max().unwrap_or(0);
    for requirement in &chosen {
        let level = requirement.level.to_string();
        writeln!(output, "{:width$}  {level:6}  {:4}  {}", requirement.id, requirement.profile, requirement.clause)?;
    }
    writeln!(output, "{} requirements; `explain ID` explains one", chosen.len())
}

fn row(requirement: &Requirement) -> Value {
    let needs: Vec<String> = requirement.needs.iter().map(ToString::to_string).collect();
    json!({
        "id": requirement.id,
        "level": requirement.level,
        "profile": requirement.profile,
        "clause": requirement.clause,
        "source": requirement.source,
        "from": requirement.from,
        "needs": needs,
    })
}
