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
        "Seed {}: {} of {} faults are caught, {} of {} variants pass.",
        matrix.seed, faults.good, faults.all, variants.good, variants.all
    );
    let catalogue = contentgen_faults::catalogue::all().count();
    if matrix.trials.len() < catalogue {
        let tried = matrix.trials.len();
        let _ = writeln!(
            page,
            "The catalogue has {catalogue} faults and variants; {tried} of them were tried in this run."
        );
    }
    let skipped = faults.skipped + variants.skipped;
    if skipped > 0 {
        let _ = writeln!(page, "{skipped} of them were skipped, because this set-up cannot show them.");
    }
    if !matrix.healthy.is_empty() {
        let passed = matrix.healthy.iter().filter(|run| run.failed.is_empty()).count();
        let _ = writeln!(
            page,
            "The healthy server passes {passed} of {} runs, each with its own seed.",
            matrix.healthy.len()
        );
    }
    page.push('\n');
    page.push_str("| Area | Faults or variants | Caught or passed | Skipped |\n|---|---|---|---|\n");
    for (name, area) in &matrix.areas {
        let _ = writeln!(page, "| {name} | {} | {} | {} |", area.all, area.good, area.skipped);
    }
    let mut area = "";
    for trial in &matrix.trials {
        if trial.area != area {
            area = trial.area.as_str();
            let _ =
                writeln!(page, "\n## {area}\n\n| Fault | What the server does | What the suite says |\n|---|---|---|");
        }
        let said = match trial.verdict {
            Verdict::Caught | Verdict::CaughtByOthers | Verdict::Blamed => {
                trial.caught_by.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
            }
            Verdict::Passed => "passes".to_owned(),
            Verdict::Skipped => trial.remark.clone().unwrap_or_default(),
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
server again and again, each time behind two proxies that give it one fault: one before its API, one behind its hooks. A fault is a
mistake that a programmer could make; it names the requirements that must notice it. A benign variant is a server that is correct and
different; every requirement of the profile that it keeps must let it pass, and every one the healthy server.

```sh
cargo run --release -p contentgen-conformance -- prove                      # the matrix, in some minutes
cargo run --release -p contentgen-conformance -- prove --only auth          # one area
cargo run --release -p contentgen-conformance -- prove --healthy-seeds 20   # the healthy server with twenty seeds
cargo run --release -p contentgen-conformance -- prove --full               # every requirement against every fault
cargo run --release -p contentgen-conformance -- prove --config conformance.toml   # your server with your set-up
```

With `--config` the proxies stand before a server of yours that runs already and passes the suite: so you see what the suite would notice
about it. What your set-up cannot show, for want of a second account or of hooks, is skipped and says why. A server whose tests need
the receiver of hooks to be reached through a tunnel has those faults skipped too.

Trials before a server of yours share it, so those that spend its small quota, write to its second account or register endpoints take
turns. Whatever a trial registered is removed at its end.

This page is written by `prove --page docs/prove.md`. A fault is caught as soon as one of its requirements notices it; that one is named.
Its requirements run alone first, with few cases and then with many. If none notices, the whole suite runs, because some requirements
inspect all exchanges of a run.

";
