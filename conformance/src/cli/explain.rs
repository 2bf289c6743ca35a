//! `explain`: one requirement in full.
//!
//! The catalogue is listed by `list`.

use std::io::{self, Write};

use super::exit::Exit;
use crate::requirements::{Cases, Requirement, catalogue};

/// Writes what is known about the requirement `id`; an unknown id is a usage error with the nearest ids.
pub(super) fn explain(id: &str, output: &mut impl Write, errors: &mut impl Write) -> io::Result<Exit> {
    let all = catalogue();
    if let Some(requirement) = all.iter().find(|requirement| requirement.id == id) {
        describe(requirement, output)?;
        return Ok(Exit::Conformant);
    }
    let words: Vec<&str> = id.split(['.', '-']).filter(|word| word.len() > 2).collect();
    let near: Vec<&str> = all
        .iter()
        .map(|requirement| requirement.id)
        .filter(|known| words.iter().any(|word| known.contains(word)))
        .take(5)
        .collect();
    let hint = if near.is_empty() {
        "`contentgen-conformance list` prints them all".to_owned()
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    writeln!(errors, "error: there is no requirement `{id}`: {hint}")?;
    Ok(Exit::Usage)
}

fn describe(requirement: &Requirement, output: &mut impl Write) -> io::Result<()> {
    let cases = match requirement.cases {
        Cases::Exactly(count) => format!("{count}"),
        Cases::Searched => "as many as --cases says".to_owned(),
        Cases::Divided(by) => format!("--cases divided by {by}"),
        Cases::Listed(_) => "one for each".to_owned(),
        Cases::Beyond(_) => "one for each edge, and as many as --cases says".to_owned(),
    };
    let needs: Vec<String> = requirement.needs.iter().map(ToString::to_string).collect();
    let needs = if needs.is_empty() { "nothing beyond a key and a website".to_owned() } else { needs.join(", ") };
    let broken = match requirement.level {
        crate::requirements::Level::Must => "fails the run",
        crate::requirements::Level::Should => "warns",
    };
    writeln!(output, "{}\n\n  {}\n", requirement.id, requirement.clause)?;
    for (name, value) in [
        ("source", requirement.source.to_owned()),
        ("level", format!("{}: breaking it {broken}", requirement.level)),
        ("profile", requirement.profile.to_string()),
        ("needs", needs),
        ("drawn from", requirement.from.to_owned()),
        ("cases", cases),
        ("run it", format!("contentgen-conformance run --reference --only {}", requirement.id)),
    ] {
        writeln!(output, "  {name:<11} {value}")?;
    }
    Ok(())
}
