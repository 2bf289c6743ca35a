//! Charts of daily numbers: a bar chart, and the same numbers as a table.

use crate::domain::day::Day;
use crate::domain::store::DayCounts;

/// Width of a day in the picture. The picture's height is 100.
const DAY_WIDTH: u32 = 10;
/// Width of a bar.
const BAR_WIDTH: u32 = 7;
/// Minimum height of a bar, so that small numbers are visible beside large ones.
const MIN_HEIGHT: f64 = 2.0;

/// Numbers per day. Each day has a bar with one or two parts.
pub(super) struct Chart {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// CSS class and name of each part, from the bottom to the top.
    pub(super) parts: Vec<(&'static str, &'static str)>,
    /// Text alternative for the picture.
    pub(super) label: String,
    /// Sum of each part.
    pub(super) sums: Vec<u64>,
    /// Number at the top of the picture.
    pub(super) top: String,
    pub(super) width: u32,
    pub(super) bars: Vec<Bar>,
    pub(super) first: String,
    pub(super) last: String,
    /// Days with their numbers, newest first.
    pub(super) rows: Vec<(Day, Vec<u64>)>,
}

/// Part of a bar.
pub(super) struct Bar {
    pub(super) class: &'static str,
    pub(super) x: f64,
    pub(super) y: String,
    pub(super) height: String,
}

impl Chart {
    /// Creates a chart. `numbers` returns one number for each part from the counts of a day.
    pub(super) fn new(
        (id, title): (&'static str, &'static str),
        parts: &[(&'static str, &'static str)],
        days: &[DayCounts],
        numbers: impl Fn(&DayCounts) -> Vec<u64>,
    ) -> Self {
        let mut rows: Vec<_> = days.iter().map(|counts| (counts.day, numbers(counts))).collect();
        let top = rows.iter().map(|(_, numbers)| numbers.iter().sum::<u64>()).max().unwrap_or_default().max(1);
        let sums: Vec<u64> = (0..parts.len()).map(|part| rows.iter().map(|(_, numbers)| numbers[part]).sum()).collect();
        let bars = rows.iter().zip(0_u32..).flat_map(|((_, numbers), day)| bar(numbers, parts, top, day)).collect();
        let told: Vec<_> =
            parts.iter().zip(&sums).map(|((_, name), sum)| format!("{} {name}", grouped(*sum))).collect();
        let short = |day: Option<&(Day, Vec<u64>)>| day.map(|(day, _)| day.short()).unwrap_or_default();
        let (first, last) = (short(rows.first()), short(rows.last()));
        rows.reverse();
        Self {
            id,
            title,
            parts: parts.to_vec(),
            label: format!("{title}: {} in {} days. The numbers are in the table below.", told.join(", "), days.len()),
            sums,
            top: grouped(top),
            width: u32::try_from(days.len()).unwrap_or_default() * DAY_WIDTH,
            bars,
            first,
            last,
            rows,
        }
    }

    /// Returns true if all numbers are zero.
    pub(super) fn is_empty(&self) -> bool {
        self.sums.iter().all(|sum| *sum == 0)
    }
}

/// Returns the parts of a day's bar, stacked.
fn bar(numbers: &[u64], parts: &[(&'static str, &'static str)], top: u64, day: u32) -> Vec<Bar> {
    let x = f64::from(day * DAY_WIDTH) + f64::from(DAY_WIDTH - BAR_WIDTH) / 2.0;
    let mut floor = 100.0;
    let shown = numbers.iter().zip(parts).filter(|(number, _)| **number > 0);
    shown
        .map(|(number, (class, _))| {
            let height = (share(*number, top) * 100.0).max(MIN_HEIGHT);
            floor = f64::max(floor - height, 0.0);
            Bar { class, x, y: format!("{floor:.1}"), height: format!("{height:.1}") }
        })
        .collect()
}

/// Returns `number` as a fraction of `top`. Numbers above `u32::MAX` are capped.
fn share(number: u64, top: u64) -> f64 {
    let float = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    float(number) / float(top)
}

/// Formats a number with separators: `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_stacked_and_fill_the_picture() {
        let day = |number, deliveries, failures| DayCounts {
            day: Day::from_number(number),
            articles: 0,
            leads: 0,
            deliveries,
            failures,
        };
        let days = [day(20_000, 4, 1), day(20_001, 0, 0), day(20_002, 1000, 0)];
        let parts = [("good", "delivered"), ("bad", "failed")];
        let chart =
            Chart::new(("d", "Deliveries"), &parts, &days, |day| vec![day.deliveries - day.failures, day.failures]);
        let drawn: Vec<_> =
            chart.bars.iter().map(|bar| (bar.class, bar.x, bar.y.as_str(), bar.height.as_str())).collect();
        assert_eq!(drawn, [("good", 1.5, "98.0", "2.0"), ("bad", 1.5, "96.0", "2.0"), ("good", 21.5, "0.0", "100.0")]);
        assert_eq!((chart.sums.as_slice(), chart.top.as_str(), chart.width), ([1003, 1].as_slice(), "1,000", 30));
        assert_eq!(chart.label, "Deliveries: 1,003 delivered, 1 failed in 3 days. The numbers are in the table below.");
        assert_eq!((chart.rows[0].0.number(), chart.is_empty()), (20_002, false));
        assert!(Chart::new(("d", "Deliveries"), &parts, &days[1..2], |_| vec![0, 0]).is_empty());
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
