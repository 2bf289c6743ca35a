//! `list`: shows the catalogue as a table or as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::arguments::ListArguments;
use crate::check::Requirement;
use crate::contract::{Clauses, Invariant};
use crate::requirements::catalogue;

/// Writes the catalogue, or with `--coverage` the share of the document that it quotes.
pub(super) fn list(arguments: &ListArguments, output: &mut impl Write) -> io::Result<()> {
    if arguments.coverage {
        return coverage(output);
    }
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

fn coverage(output: &mut impl Write) -> io::Result<()> {
    let clauses = Clauses::of_catalogue();
    let (quoted, all) = (clauses.quoted.len(), clauses.normative());
    writeln!(
        output,
        "{quoted} of {all} normative sentences of openapi.yaml are quoted by a requirement ({} %).",
        quoted * 100 / all.max(1)
    )?;
    writeln!(
        output,
        "\nInvariants under x-conformance, with the requirements that quote them. A * marks those that check every exchange of a run."
    )?;
    for Invariant { id, requirements } in Invariant::all() {
        let quoted: Vec<String> =
            requirements.iter().map(|(id, observes)| format!("{id}{}", if *observes { "*" } else { "" })).collect();
        let quoted = if quoted.is_empty() { "not tested, see below".to_owned() } else { quoted.join(", ") };
        writeln!(output, "  {id}: {quoted}")?;
    }
    for group in &clauses.untested {
        writeln!(output, "\nNot tested: {}", group.reason)?;
        for sentence in &group.sentences {
            writeln!(output, "  {sentence}")?;
        }
    }
    for sentence in &clauses.missing {
        writeln!(output, "\nNot quoted: {}\n  {}", sentence.pointer, sentence.text)?;
    }
    Ok(())
}

fn row(requirement: &Requirement) -> Value {
    let needs: Vec<String> = requirement.needs.iter().map(ToString::to_string).collect();
    json!({
        "id": requirement.id,
        "level": requirement.level,
        "profile": requirement.profile,
        "clause": requirement.clause,
        "sources": requirement.sources.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "from": requirement.from,
        "needs": needs,
    })
}
