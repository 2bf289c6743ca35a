//! The violations that a problem lists. How a violation of a schema is told is in `schema_violation`.

use super::error::FieldError;

/// Most entries of a problem's `errors` (`problem_errors` under `x-limits`).
const MAX_LISTED: usize = 100;

/// What is wrong with a request: each thing once, and no more of them than a problem lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    listed: Vec<FieldError>,
    has_more: bool,
}

impl Violations {
    /// Those to tell, at most as many as a problem lists.
    pub fn listed(&self) -> &[FieldError] {
        &self.listed
    }

    /// Whether there are others.
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// [`Violations::listed`], to keep.
    pub fn into_listed(self) -> Vec<FieldError> {
        self.listed
    }

    /// `Err` if there are any.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.listed.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Adds one. Two keywords may complain of the same thing at the same place: then it counts once.
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

    /// Adds those of `errors`, and reads no further than the first that is not listed.
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
    fn no_more_is_read_than_is_listed_and_one() {
        let mut read = 0;
        let endless = std::iter::from_fn(|| {
            read += 1;
            // Each is found twice.
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
