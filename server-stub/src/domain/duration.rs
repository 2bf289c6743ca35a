//! Durations as people write them: a number and a unit, such as `90d`. Callers check the allowed range.

use std::time::Duration;

/// The units and their milliseconds, largest first.
const UNITS: [(&str, u128); 5] =
    [("d", 24 * 60 * 60 * 1000), ("h", 60 * 60 * 1000), ("m", 60 * 1000), ("s", 1000), ("ms", 1)];

/// Reads a number and its unit: `ms`, `s`, `m`, `h` or `d`.
pub fn parse(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, millis) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    let millis = number.parse::<u64>().ok()?.checked_mul(u64::try_from(millis).ok()?)?;
    Some(Duration::from_millis(millis))
}

/// Writes a duration in the largest unit of which it is a whole multiple: `90s`, but `2h` for 120 minutes.
pub fn show(duration: Duration) -> String {
    let millis = duration.as_millis();
    let whole = UNITS.into_iter().find(|(_, of_unit)| millis.is_multiple_of(*of_unit) && millis > 0);
    let (unit, of_unit) = whole.unwrap_or(("s", 1000));
    format!("{}{unit}", millis / of_unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_with_its_unit_and_written_in_the_largest_one() {
        for (text, millis, shown) in [
            ("0s", 0, "0s"),
            ("10ms", 10, "10ms"),
            ("90s", 90_000, "90s"),
            ("120m", 7_200_000, "2h"),
            ("24h", 86_400_000, "1d"),
            ("90d", 7_776_000_000, "90d"),
        ] {
            let duration = parse(text).unwrap();
            assert_eq!((duration.as_millis(), show(duration).as_str()), (millis, shown), "{text}");
        }
    }

    #[test]
    fn what_has_no_number_or_no_unit_is_refused() {
        for text in ["", "5", "s", "5 s", "-5s", "5w", "1.5h", "5sd", "99999999999999999999d", "999999999999999999d"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
