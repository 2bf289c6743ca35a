//! Checks of requests before they are sent. The bounds of each field are generated.

use std::collections::BTreeMap;

use reqwest::header::HeaderValue;

use crate::generated::types::{FieldError, FieldErrorCode};
use crate::idempotency::{self, IDEMPOTENCY_KEY};
use crate::invalid_request::{Faults, InvalidRequest, Place};
use crate::segment::step;

/// A part of a request body whose fields have bounds.
pub(crate) trait Bounded {
    /// Finds the fields that break their bounds.
    fn find_faults(&self, check: &mut Check<'_>);
}

/// Checks a part of a request body on its own.
pub(crate) fn check(part: &impl Bounded) -> Result<(), InvalidRequest> {
    let mut faults = Faults::default();
    part.find_faults(&mut Check::new(&mut faults));
    faults.check()
}

/// Parses a header value: no line breaks or other control characters. An idempotency key has more bounds.
pub(crate) fn header(name: &str, value: &str) -> Result<HeaderValue, Box<FieldError>> {
    let refused = |detail| Box::new(Place::Header(name).error(FieldErrorCode::InvalidFormat, detail));
    let header = HeaderValue::try_from(value)
        .map_err(|_| refused(format!("`{name}` must not contain line breaks or other control characters")))?;
    if name.eq_ignore_ascii_case(IDEMPOTENCY_KEY.as_str()) && !idempotency::is_key(&header) {
        return Err(refused(idempotency::form()));
    }
    Ok(header)
}

/// A check of one object in a body.
pub(crate) struct Check<'a> {
    /// Path of the object in the body, with a slash at its end; empty for the body itself.
    within: String,
    faults: &'a mut Faults,
}

impl<'a> Check<'a> {
    /// Starts the check of a body.
    pub(crate) fn new(faults: &'a mut Faults) -> Self {
        Self { within: String::new(), faults }
    }

    /// Checks an object inside of this one.
    pub(crate) fn object(&mut self, name: &str, object: Option<&impl Bounded>) {
        if let Some(object) = object {
            object.find_faults(&mut Check { within: format!("{}{name}/", self.within), faults: self.faults });
        }
    }

    /// Checks that a required field is set.
    pub(crate) fn required<T>(&mut self, name: &str, value: Option<&T>) {
        if value.is_none() {
            self.fault(name, FieldErrorCode::Required, |path| format!("`{path}` is missing"));
        }
    }

    /// Checks the length of a text, in characters.
    pub(crate) fn text(&mut self, name: &str, value: Option<&str>, minimum: usize, maximum: usize) {
        let Some(value) = value else { return };
        // A character has one to four bytes, so most texts need no counting.
        if value.len() <= maximum && value.len() >= minimum.saturating_mul(4) {
            return;
        }
        let length = value.chars().count();
        if length < minimum {
            self.fault(name, FieldErrorCode::TooShort, |path| match length {
                0 => format!("`{path}` must not be empty"),
                _ => format!("`{path}` has {length} characters; at least {minimum} are needed"),
            });
        } else if length > maximum {
            self.fault(name, FieldErrorCode::TooLong, |path| {
                format!("`{path}` has {length} characters; at most {maximum} are allowed")
            });
        }
    }

    /// Checks that a number lies in a range.
    pub(crate) fn integer(&mut self, name: &str, value: Option<u32>, minimum: u32, maximum: u32) {
        if let Some(value) = value.filter(|value| !(minimum..=maximum).contains(value)) {
            self.fault(name, FieldErrorCode::OutOfRange, |path| {
                format!("`{path}` is {value}; it must be between {minimum} and {maximum}")
            });
        }
    }

    /// Checks the number of texts in a list, and each of them.
    pub(crate) fn texts(&mut self, name: &str, values: &[String], maximum: usize, (shortest, longest): (usize, usize)) {
        // Skips per-item errors of an oversized list.
        if self.count(name, values.len(), maximum) {
            for (at, value) in values.iter().enumerate() {
                self.text(&format!("{name}/{at}"), Some(value), shortest, longest);
            }
        }
    }

    /// Checks the number of entries of a map, and the lengths of each name and text in it.
    pub(crate) fn map(
        &mut self,
        name: &str,
        values: Option<&BTreeMap<String, String>>,
        maximum: usize,
        (shortest, longest): (usize, usize),
        longest_text: usize,
    ) {
        let Some(values) = values.filter(|values| self.count(name, values.len(), maximum)) else { return };
        for (key, value) in values {
            let length = key.chars().count();
            if (shortest..=longest).contains(&length) {
                self.text(&format!("{name}/{}", step(key)), Some(value), 0, longest_text);
            } else {
                let code = if length < shortest { FieldErrorCode::TooShort } else { FieldErrorCode::TooLong };
                self.fault(name, code, |path| {
                    format!("a name in `{path}` has {length} characters; {shortest} to {longest} are allowed")
                });
            }
        }
    }

    /// Returns true if the number of entries is allowed.
    fn count(&mut self, name: &str, entries: usize, maximum: usize) -> bool {
        if entries > maximum {
            self.fault(name, FieldErrorCode::TooMany, |path| {
                format!("`{path}` has {entries} entries; at most {maximum} are allowed")
            });
        }
        entries <= maximum
    }

    /// Records a problem of a field. `detail` makes a sentence from the path of the field.
    fn fault(&mut self, name: &str, code: FieldErrorCode, detail: impl FnOnce(&str) -> String) {
        let path = format!("{}{name}", self.within);
        self.faults.add(Place::Member(&path).error(code, detail(&path)));
    }
}
