//! The checks behind the bounds of request members. Which member has which bound is generated.

use std::collections::BTreeMap;

/// Checks the length of a text, in characters.
pub(crate) fn text(name: &str, value: &str, minimum: u64, maximum: u64, trimmed: bool) -> Result<(), String> {
    let counted = if trimmed { value.trim() } else { value };
    // A character has one byte to four, so most texts need not be counted.
    let bytes = counted.len() as u64;
    if bytes <= maximum && bytes >= minimum.saturating_mul(4) {
        return Ok(());
    }
    let length = counted.chars().count() as u64;
    if length < minimum {
        Err(format!("`{name}` has {length} characters; at least {minimum} are needed"))
    } else if length > maximum {
        Err(format!("`{name}` has {length} characters; at most {maximum} are allowed"))
    } else {
        Ok(())
    }
}

/// Checks that a number lies in a range.
pub(crate) fn integer(name: &str, value: u64, minimum: u64, maximum: u64) -> Result<(), String> {
    if (minimum..=maximum).contains(&value) {
        Ok(())
    } else {
        Err(format!("`{name}` is {value}; it must lie between {minimum} and {maximum}"))
    }
}

/// Checks the number of texts in a list, and each of them.
pub(crate) fn texts(name: &str, values: &[String], maximum: u64, shortest: u64, longest: u64) -> Result<(), String> {
    count(name, values.len(), maximum)?;
    values.iter().enumerate().try_for_each(|(at, value)| text(&format!("{name}/{at}"), value, shortest, longest, false))
}

/// Checks the number of entries of a map, and the length of each text in it.
pub(crate) fn map(name: &str, values: &BTreeMap<String, String>, maximum: u64, longest: u64) -> Result<(), String> {
    count(name, values.len(), maximum)?;
    values.iter().try_for_each(|(key, value)| text(&format!("{name}/{key}"), value, 0, longest, false))
}

/// Checks a number of entries.
fn count(name: &str, entries: usize, maximum: u64) -> Result<(), String> {
    if entries as u64 <= maximum {
        Ok(())
    } else {
        Err(format!("`{name}` has {entries} entries; at most {maximum} are allowed"))
    }
}
