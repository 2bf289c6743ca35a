//! The kill matrix as a page of the documentation.
//!
//! `run` produces the results. The same seed gives the same page.

use std::fmt::Write as _;

use super::matrix::{Matrix, Verdict};

/// Returns the page in Markdown.
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
        let _ =
            writeln!(page, "{skipped} of them were skipped, because the configuration lacks something that they need.");
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
            let _ = writeln!(page, "\n## {area}\n\n| Fault | Behaviour of the server | Result |\n|---|---|---|");
        }
        let said = match trial.verdict {
            Verdict::Caught | Verdict::CaughtByOthers | Verdict::Blamed => {
                trial.caught_by.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
            }
            Verdict::Passed => "passes".to_owned(),
            Verdict::Skipped => trial.remark.clone().unwrap_or_default(),
            Verdict::Survived => "**survives**".to_owned(),
            Verdict::Broken => "could not run".to_owned(),
        };
        let _ = writeln!(page, "| `{}` | {} | {said} |", trial.name, trial.description.replace('|', "\\|"));
    }
    page
}

const INTRODUCTION: &str = "\
# Does the suite notice?

A suite that passes a correct server proves little: it must also fail the wrong ones. `contentgen-conformance prove` starts the reference server
many times. Each server has one fault, added by two proxies: one before its API, one before the receiver of its webhooks.

* A **fault** is a mistake that a programmer could make. It names the requirements that must notice it.
* A **benign variant** is a correct server that behaves differently. It keeps one profile, and every `must` of that profile has to pass.
* Every requirement must also pass on the healthy server.

```sh
cargo run --release -p contentgen-conformance -- prove                      # the matrix, in some minutes
cargo run --release -p contentgen-conformance -- prove --only auth          # one area
cargo run --release -p contentgen-conformance -- prove --healthy-seeds 20   # the healthy server with twenty seeds
cargo run --release -p contentgen-conformance -- prove --full               # every requirement against every fault
cargo run --release -p contentgen-conformance -- prove --config conformance.toml   # your server with your configuration
```

With `--config` the proxies are before your own running server, which must pass the suite. So you see which mistakes the suite would notice in
your server. Faults that your configuration cannot show, for example without a second account or without webhooks, are skipped with the
reason. Faults about webhooks are also skipped if the server can reach the receiver only through a tunnel.

All trials share your server. So trials that use up its small quota, write to its second account or register endpoints run one after the other.
Each trial removes the endpoints that it registered.

`prove --page docs/prove.md` writes this page. A fault is caught as soon as one of its requirements notices it; the table names that requirement.
The requirements of a fault run alone first, with few cases and then with many. If none notices the fault, the whole suite runs, because
some requirements check all exchanges of a run.

";
