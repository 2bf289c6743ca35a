//! `explain`: shows one requirement in full.

use std::io::{self, Write};

use super::exit::Exit;
use crate::check::{Cases, Requirement};
use crate::report::on_one_line;
use crate::requirements::catalogue;

/// Number of suggested ids for an unknown one.
const SUGGESTIONS: usize = 5;
/// Minimum similarity of a suggestion, from 0 to 1, and maximum difference from the best one.
const ALIKE: f64 = 0.8;
const MUCH_LESS_ALIKE: f64 = 0.08;

/// Writes the details of the requirement `id`, or a line for each one below it. An unknown id is a usage error with the nearest ids.
pub(super) fn explain(id: &str, output: &mut impl Write, errors: &mut impl Write) -> io::Result<Exit> {
    let all = catalogue();
    if let Some(requirement) = all.iter().find(|requirement| requirement.id == id) {
        describe(requirement, output)?;
        return Ok(Exit::Conformant);
    }
    let group = group(id);
    let below: Vec<_> = all.iter().filter(|requirement| requirement.id.starts_with(&group)).collect();
    for requirement in &below {
        writeln!(output, "{}\n  {}", requirement.id, requirement.clause)?;
    }
    if !below.is_empty() {
        return Ok(Exit::Conformant);
    }
    writeln!(errors, "error: unknown requirement `{}`: {}", on_one_line(id), meant(id))?;
    Ok(Exit::Usage)
}

/// Returns a question that suggests similar ids, if there are any.
pub(super) fn meant(id: &str) -> String {
    let all = catalogue();
    let known: Vec<&str> = all.iter().map(|requirement| requirement.id).collect();
    let nearest = nearest(id, &known);
    if nearest.is_empty() {
        return "`contentgen-conformance list` prints all ids".to_owned();
    }
    format!("did you mean {}?", nearest.join(", "))
}

/// Returns the prefix of the ids below `id`.
fn group(id: &str) -> String {
    format!("{}.", id.trim_end_matches(['.', '*']))
}

/// Returns the ids and groups that `id` most likely means: those below it first, then similar spellings.
fn nearest<'known>(id: &str, known: &[&'known str]) -> Vec<&'known str> {
    let lower = id.to_lowercase();
    let group = group(&lower);
    let groups = known.iter().flat_map(|known| known.match_indices('.').map(|(at, _)| &known[..at]));
    let mut candidates: Vec<&str> = known.iter().copied().chain(groups).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|candidate| *candidate != id);
    let likeness = |known: &str| if known.starts_with(&group) { 1.0 } else { strsim::jaro_winkler(&lower, known) };
    let mut ranked: Vec<(f64, &str)> = candidates.iter().map(|known| (likeness(known), *known)).collect();
    ranked.retain(|(likeness, _)| *likeness >= ALIKE);
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    // If one is spelled almost the same, the others are noise.
    let best = ranked.first().map_or(0.0, |(likeness, _)| *likeness);
    ranked.retain(|(likeness, _)| *likeness + MUCH_LESS_ALIKE > best);
    ranked.into_iter().take(SUGGESTIONS).map(|(_, known)| known).collect()
}

fn describe(requirement: &Requirement, output: &mut impl Write) -> io::Result<()> {
    let cases = match requirement.cases {
        Cases::Exactly(count) => format!("{count}"),
        Cases::Searched => "set by --cases".to_owned(),
        Cases::Divided(by) => format!("--cases divided by {by}"),
        Cases::Listed(_) => "one for each".to_owned(),
        Cases::ListedThenSearched(_) => "one for each edge, then as many as --cases".to_owned(),
    };
    let needs: Vec<String> = requirement.needs.iter().map(ToString::to_string).collect();
    let needs = if needs.is_empty() { "only a key and a website".to_owned() } else { needs.join(", ") };
    let broken = match requirement.level {
        crate::check::Level::Must => "fails the run",
        crate::check::Level::Should => "causes a warning",
    };
    writeln!(output, "{}\n\n  {}\n", requirement.id, requirement.clause)?;
    for source in requirement.sources {
        writeln!(output, "  {source}")?;
    }
    writeln!(output)?;
    for (name, value) in [
        ("level", format!("{}: breaking it {broken}", requirement.level)),
        ("profile", requirement.profile.to_string()),
        ("since", format!("document {}", requirement.since)),
        ("needs", needs),
        ("drawn from", requirement.from.to_owned()),
        ("cases", cases),
        ("run it", format!("contentgen-conformance run --reference --only {}", requirement.id)),
    ] {
        writeln!(output, "  {name:<11} {value}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KNOWN: [&str; 4] =
        ["auth.missing.refused", "jobs.cancel.idempotent", "jobs.cancel.running", "leads.page.order"];

    #[test]
    fn a_misspelled_id_and_a_group_lead_to_what_was_meant() {
        assert_eq!(nearest("jobs.cancel.idempotant", &KNOWN)[0], "jobs.cancel.idempotent");
        assert_eq!(nearest("JOBS.CANCEL.IDEMPOTENT", &KNOWN)[0], "jobs.cancel.idempotent");
        assert_eq!(nearest("auth-missing-refused", &KNOWN)[0], "auth.missing.refused");
        assert_eq!(nearest("jobs", &KNOWN)[..2], ["jobs.cancel", "jobs.cancel.idempotent"]);
        assert_eq!(nearest("jobs.cancel.*", &KNOWN)[..2], ["jobs.cancel.idempotent", "jobs.cancel.running"]);
        assert_eq!(nearest("job", &KNOWN)[0], "jobs");
        assert_eq!(nearest("leds.page", &KNOWN)[0], "leads.page");
        assert!(nearest("nothing", &KNOWN).is_empty());
    }
}
