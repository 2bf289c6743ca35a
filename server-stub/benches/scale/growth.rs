//! How much an operation costs more in the large database than in the small one, beside the goal.

use std::io::{self, Write};

/// The large database may cost so many times what the small one costs.
pub(crate) const GOAL: f64 = 1.5;

/// The costs of one operation, microseconds, one pair for each round.
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

    /// The ratios of the rounds, the lowest first.
    fn ratios(&self) -> Vec<f64> {
        sorted(self.small.iter().zip(&self.large).map(|(small, large)| large / small))
    }

    /// Whether three quarters of the rounds miss the goal, and not only a disturbed half.
    pub(crate) fn is_clearly_missed(&self) -> bool {
        let ratios = self.ratios();
        ratios[ratios.len() / 4] > GOAL
    }

    /// One line: the medians, the median ratio with its spread, and the verdict.
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
