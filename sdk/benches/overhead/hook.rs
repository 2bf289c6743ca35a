//! Verifying the largest hook that the service sends.

use std::io::Write;

use contentgen_sdk::test_util::HookSigner;

use crate::stopwatch::Stopwatch;

/// The most that it may take, in microseconds.
const GOAL: f64 = 30.0;
/// The largest body, in bytes.
const BODY: usize = 20 * 1024;
const ROUNDS: usize = 25;
const HOOKS: u32 = 500;

/// Measures and prints.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let signer = HookSigner::new();
    let verifier = signer.verifier();
    let hook = signer.sign_bytes("evt_1", vec![b'x'; BODY]);
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let stopwatch = Stopwatch::start();
        for _ in 0..HOOKS {
            std::hint::black_box(verifier.verify(&hook.headers, std::hint::black_box(&hook.body))?);
        }
        rounds.push(stopwatch.micros() / f64::from(HOOKS));
    }
    rounds.sort_by(f64::total_cmp);
    let micros: Vec<String> = rounds.iter().map(|micros| format!("{micros:.0}")).collect();
    let median = rounds[ROUNDS / 2];
    let is_met = median < GOAL;
    writeln!(out, "verifying a hook of {BODY} bytes: rounds {} µs", micros.join(" "))?;
    writeln!(out, "  median {median:.1} µs, goal {GOAL:.0}: {}", if is_met { "met" } else { "MISSED" })?;
    Ok(())
}
