//! Figures beside their goals, as lines of text. A missed goal is printed and is not an error.

use std::io::{self, Write};

use crate::rate::Rate;

/// Goal for a figure.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    Below(f64),
}

impl Goal {
    fn verdict(self, figure: f64) -> String {
        let (words, limit, is_met) = match self {
            Self::AtLeast(limit) => ("at least", limit, figure >= limit),
            Self::Below(limit) => ("below", limit, figure < limit),
        };
        format!("goal {words} {limit}: {}", if is_met { "met" } else { "MISSED" })
    }
}

/// Prints the two sides of the round with the median ratio, and that ratio beside its goal.
pub(crate) fn ratio(out: &mut impl Write, names: [&str; 2], goal: Goal, rounds: &[(Rate, Rate)]) -> io::Result<()> {
    let sorted = sorted(rounds, |(one, other)| one.per_second / other.per_second);
    let (median, (one, other)) = sorted[sorted.len() / 2];
    for (name, rate) in names.into_iter().zip([one, other]) {
        writeln!(out, "  {name}: {:.0}/s, {:.0} µs CPU here", rate.per_second, rate.cpu_micros)?;
    }
    print(out, "ratio", median, &sorted, 2, Some(goal))
}

/// Prints the two sides, in milliseconds, of the round with the median ratio, and that ratio beside its goal.
pub(crate) fn delays(out: &mut impl Write, names: [&str; 2], goal: Goal, rounds: &[(f64, f64)]) -> io::Result<()> {
    let sorted = sorted(rounds, |(one, other)| one / other);
    let (median, (one, other)) = sorted[sorted.len() / 2];
    for (name, delay) in names.into_iter().zip([one, other]) {
        writeln!(out, "  {name}: {delay:.1} ms")?;
    }
    print(out, "ratio", median, &sorted, 2, Some(goal))
}

/// Prints the median percentage beside its goal.
pub(crate) fn percent(out: &mut impl Write, of: &str, goal: Goal, rounds: &[f64]) -> io::Result<()> {
    let sorted = sorted(rounds, |percent| *percent);
    print(out, &format!("percent {of}"), sorted[sorted.len() / 2].0, &sorted, 1, Some(goal))
}

/// Prints the median rate beside its goal, if it has one.
pub(crate) fn rate(out: &mut impl Write, name: &str, goal: Option<Goal>, rounds: &[Rate]) -> io::Result<()> {
    let sorted = sorted(rounds, |rate| rate.per_second);
    let (median, rate) = sorted[sorted.len() / 2];
    print(out, &format!("{name}, {:.0} µs CPU here, a second", rate.cpu_micros), median, &sorted, 0, goal)
}

fn sorted<T: Copy>(rounds: &[T], figure: impl Fn(&T) -> f64) -> Vec<(f64, T)> {
    let mut sorted: Vec<_> = rounds.iter().map(|round| (figure(round), *round)).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    sorted
}

/// Prints the median before the range, because one disturbed round does not decide.
fn print<T>(
    out: &mut impl Write,
    name: &str,
    median: f64,
    sorted: &[(f64, T)],
    digits: usize,
    goal: Option<Goal>,
) -> io::Result<()> {
    let (lowest, highest) = (sorted[0].0, sorted[sorted.len() - 1].0);
    let verdict = goal.map(|goal| format!(", {}", goal.verdict(median))).unwrap_or_default();
    writeln!(out, "  {name}: {median:.digits$} (rounds {lowest:.digits$} to {highest:.digits$}){verdict}")
}
