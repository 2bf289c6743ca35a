//! The added and the removed lines between two listings.

use std::collections::BTreeMap;
use std::fmt;

/// Maximum number of lines shown of each kind.
const SHOWN: usize = 20;

/// Lines that only one of two texts has, in alphabetical order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference<'a> {
    gone: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Difference<'a> {
    /// Compares two texts by lines; a line may occur several times in each.
    pub(super) fn between(old: &'a str, new: &'a str) -> Self {
        let mut counts = BTreeMap::<&str, (usize, usize)>::new();
        for line in old.lines() {
            counts.entry(line).or_default().0 += 1;
        }
        for line in new.lines() {
            counts.entry(line).or_default().1 += 1;
        }
        let mut difference = Self::default();
        for (line, (before, now)) in counts {
            difference.gone.extend(std::iter::repeat_n(line, before.saturating_sub(now)));
            difference.new.extend(std::iter::repeat_n(line, now.saturating_sub(before)));
        }
        difference
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (sign, lines) in [('-', &self.gone), ('+', &self.new)] {
            for line in lines.iter().take(SHOWN) {
                writeln!(formatter, "  {sign} {line}")?;
            }
            if let Some(more) = lines.len().checked_sub(SHOWN + 1) {
                writeln!(formatter, "  {sign} and {} more", more + 1)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Difference;

    #[test]
    fn lines_that_came_and_went_are_told() {
        let difference = Difference::between("a\nb\nb\n", "b\na\nc\n");
        assert_eq!(difference.to_string(), "  - b\n  + c\n");
    }

    #[test]
    fn many_lines_are_counted() {
        let many = (0..25).map(|number| number.to_string()).collect::<Vec<_>>().join("\n");
        let shown = Difference::between("", &many).to_string();
        assert_eq!((shown.lines().count(), shown.lines().last()), (21, Some("  + and 5 more")));
    }
}
