//! Growth of an operation's cost from the small database to the large one, beside the goal.

use std::io::{self, Write};

/// Maximum ratio of the cost in the large database to the cost in the small one.
pub(crate) const GOAL: f64 = 1.5;

/// Costs of one operation in microseconds, one pair for each round.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    small: Vec<f64>,
    large: Vec<f64>,
}

impl Growth {
    /// Adds a round.
    pub(crate) fn add(&mut self, small: f64, large: f64) {
        self.small.push(small);
        self.large.push(large);
    }

    /// Returns the ratios of the rounds in ascending order.
    fn ratios(&self) -> Vec<f64> {
        sorted(self.small.iter().zip(&self.large).map(|(small, large)| large / small))
    }

    /// Returns true if three quarters of the rounds miss the goal. A disturbed half does not count as a miss.
    pub(crate) fn is_clearly_missed(&self) -> bool {
        let ratios = self.ratios();
        ratios[ratios.len() / 4] > GOAL
    }

    /// Prints one line: the medians, the median ratio with its spread, and the verdict.
    pub(crate) fn print(&self, out: &mut impl Write, name: &str) -> io::Result<()> {
        let ratios = self.ratios();
        let (ratio, lowest, highest) = (median(&ratios), ratios[0], ratios[ratios.len() - 1]);
        let verdict = match ratio {
            ratio if ratio <= GOAL => "met",
            _ if self.is_clearly_missed() => "MISSED",
            _ => "missed within noise",
        };
        let medians = [&self.small, &self.large].map(|costs| median(&sorted(costs.iter().copied())));
        let [small, large] = medians;
        writeln!(
            out,
            "  {name:44} {small:9.1} {large:9.1}  ratio {ratio:.2} (rounds {lowest:.2} to {highest:.2}), goal {GOAL}: {verdict}"
        )
    }
}

fn sorted(figures: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}
