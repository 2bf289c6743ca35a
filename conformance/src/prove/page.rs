//! The kill matrix as a page of the documentation.
//!
//! What stands in it was found out in `run`; nothing in it changes from one run to the next of the same seed.

use std::fmt::Write as _;

use super::matrix::Matrix;
use super::trial::Verdict;

/// The page in Markdown.
pub fn page(matrix: &Matrix) -> String {
    let mut page = String::from(INTRODUCTION);
    let (faults, variants) = matrix.totals();
    let _ = writeln!(
        page,
        "Seed {}: {} of {} faults are caught, {} are declared unobservable, {} of {} variants pass.",
        matrix.seed, faults.good, faults.all, faults.unobservable, variants.good, variants.all
    );
    if !matrix.healthy.is_empty() {
        let passed = matrix.healthy.iter().filter(|run| run.failed.is_empty()).count();
        let _ = writeln!(
            page,
            "The healthy server passes {passed} of {} runs, each with its own seed.",
            matrix.healthy.len()
        );
    }
    page.push('\n');
    page.push_str("| Area | Switches | Caught or passed | Declared unobservable |\n|---|---|---|---|\n");
    for (name, area) in &matrix.areas {
        let _ = writeln!(page, "| {name} | {} | {} | {} |", area.all, area.good, area.unobservable);
    }
    let mut area = "";
    for trial in &matrix.trials {
        if trial.area != area {
            area = trial.area.as_str();
            let _ =
                writeln!(page, "\n## {area}\n\n| Switch | What the server does | What the suite says |\n|---|---|---|");
        }
        let said = match trial.verdict {
            Verdict::Caught | Verdict::CaughtByOthers | Verdict::Blamed => {
                trial.caught_by.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
            }
            Verdict::Passed => "passes".to_owned(),
            Verdict::Unobservable => trial.remark.clone().unwrap_or_default(),
            Verdict::Survived => "**survives**".to_owned(),
            Verdict::Broken => "could not be tried".to_owned(),
        };
        let _ = writeln!(page, "| `{}` | {} | {said} |", trial.name, trial.description.replace('|', "\\|"));
    }
    page
}

const INTRODUCTION: &str = "\
# Does the suite notice?

A suite that passes a good server proves little: it must also fail the bad ones. `contentgen-conformance prove` starts the reference
server again and again, each time with one switch on. A fault is a slip that a programmer could make; it names the requirements that must
notice it. A benign variant is a server that is correct and different; every requirement of the profile that it keeps must let it pass, and
every one the healthy server.

```sh
cargo run -p contentgen-conformance --features prove -- prove                      # the matrix, in a few minutes
cargo run -p contentgen-conformance --features prove -- prove --only auth          # one area
cargo run -p contentgen-conformance --features prove -- prove --healthy-seeds 20   # the healthy server with twenty seeds
cargo run -p contentgen-conformance --features prove -- prove --full               # every requirement against every fault
```

This page is written by `prove --page docs/prove.md`. A fault is caught as soon as one of its requirements notices it; that one is named.
They run alone first, and with all others where that does not do: some look at every exchange of a run.

";
