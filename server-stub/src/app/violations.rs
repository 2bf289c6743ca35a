//! Collects the violations that a problem lists. Violations of a schema are described in `schema_violation`.

use super::error::FieldError;

/// Maximum number of entries in a problem's `errors` (`problem_errors` under `x-limits`).
const MAX_LISTED: usize = 100;

/// Violations of a request, without duplicates and limited to the number that a problem lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    listed: Vec<FieldError>,
    has_more: bool,
}

impl Violations {
    /// Returns the violations to list, at most as many as a problem may have.
    pub fn listed(&self) -> &[FieldError] {
        &self.listed
    }

    /// Returns true if there are more violations than listed.
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Returns [`Violations::listed`] as an owned list.
    pub fn into_listed(self) -> Vec<FieldError> {
        self.listed
    }

    /// Returns `Err` if there are any violations.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.listed.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Adds a violation. Skips it if the same code was reported for the same place, because two keywords may report the same error.
    pub(super) fn push(&mut self, error: FieldError) {
        if self.has_more || self.listed.iter().any(|other| other.code == error.code && other.place == error.place) {
            return;
        }
        if self.listed.len() == MAX_LISTED {
            self.has_more = true;
        } else {
            self.listed.push(error);
        }
    }

    /// Adds `errors`. Stops reading them after the first one beyond the limit.
    pub(super) fn extend(&mut self, errors: impl IntoIterator<Item = FieldError>) {
        let mut errors = errors.into_iter();
        while !self.has_more
            && let Some(error) = errors.next()
        {
            self.push(error);
        }
    }
}

impl From<FieldError> for Violations {
    fn from(error: FieldError) -> Self {
        Self { listed: vec![error], has_more: false }
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::{FieldCode, Place};
    use super::*;

    fn error(number: usize) -> FieldError {
        FieldError {
            code: FieldCode::TooShort,
            place: Place::Pointer(format!("#/{number}").into()),
            detail: String::new(),
        }
    }

    #[test]
    fn reading_stops_after_the_first_unlisted_violation() {
        let mut read = 0;
        let endless = std::iter::from_fn(|| {
            read += 1;
            // Each violation occurs twice.
            Some(error(read / 2))
        });
        let mut violations = Violations::default();
        violations.extend(endless);
        assert_eq!((violations.listed().len(), violations.has_more()), (100, true));
        assert_eq!(read, 200);
        violations.push(error(0));
        assert_eq!(violations.listed().len(), 100);
    }
}
