//! Durations on the command line.

use std::time::Duration;

/// Longest accepted duration, in seconds: ten years.
const LONGEST: u64 = 10 * 366 * 24 * 60 * 60;

/// Parses `90s`, `5m`, `1h30m`, `7d`, or seconds without a unit.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || "write it as 90s, 5m, 1h30m or 7d".to_owned();
    if text.is_empty() {
        return Err(wrong());
    }
    let mut seconds: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let number: u64 = rest[..end].parse().map_err(|_| wrong())?;
        let unit = rest[end..].chars().next();
        let factor = match unit {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 60 * 60,
            Some('d') => 24 * 60 * 60,
            None if end == text.len() => 1,
            _ => return Err(wrong()),
        };
        seconds = number
            .checked_mul(factor)
            .and_then(|part| seconds.checked_add(part))
            .filter(|sum| *sum <= LONGEST)
            .ok_or_else(|| "must be at most ten years".to_owned())?;
        rest = &rest[end + usize::from(unit.is_some())..];
    }
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        let seconds = |text| parse(text).map(|duration| duration.as_secs()).ok();
        assert_eq!(seconds("90"), Some(90));
        assert_eq!(seconds("90s"), Some(90));
        assert_eq!(seconds("1h30m"), Some(5400));
        assert_eq!(seconds("7d"), Some(604_800));
        for wrong in ["", "m", "5x", "5 m", "-1s", "1m30", "99999999999999999999d", "4000d"] {
            assert_eq!(seconds(wrong), None, "{wrong:?}");
        }
    }
}
