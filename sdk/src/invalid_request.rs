//! Problems of a request that are found before it is sent.

use std::fmt;

use crate::error::Error;
use crate::generated::types::{FieldError, FieldErrorCode};

/// A request that breaks bounds of the document. Contains every problem with its place, in the same form as a server's problem list.
///
/// ```
/// use contentgen_sdk::types::GenerateRequest;
///
/// let request = GenerateRequest::new().topic("").target_word_count(7).website_id("web_1");
/// let refused = request.check().unwrap_err();
/// let places = refused.field_errors().iter().filter_map(|error| error.pointer.as_deref());
/// assert_eq!(places.collect::<Vec<_>>(), ["#/target_word_count", "#/topic"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidRequest(Vec<FieldError>);

impl InvalidRequest {
    /// The problems, at least one.
    pub fn field_errors(&self) -> &[FieldError] {
        &self.0
    }
}

/// One sentence for each problem.
impl fmt::Display for InvalidRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            formatter.write_str(if at == 0 { "" } else { "; " })?;
            formatter.write_str(&error.detail)?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidRequest {}

impl From<InvalidRequest> for Error {
    fn from(refused: InvalidRequest) -> Self {
        Self::not_sent(&refused).with(|inner| inner.field_errors = refused.0)
    }
}

/// Collects the problems of a request while it is put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<FieldError>);

impl Faults {
    /// Adds a problem.
    pub(crate) fn add(&mut self, error: FieldError) {
        self.0.push(error);
    }

    /// Removes the problems of a header, which gets another value.
    pub(crate) fn forget_header(&mut self, name: &str) {
        self.0.retain(|error| error.header.as_deref() != Some(name));
    }

    /// Returns an error if a problem was found.
    pub(crate) fn check(&self) -> Result<(), InvalidRequest> {
        if self.0.is_empty() { Ok(()) } else { Err(InvalidRequest(self.0.clone())) }
    }
}

/// Place of a problem in a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// The body as a whole.
    Body,
    /// A field of the body, by its path: `keywords/3`.
    Member(&'a str),
    /// A parameter of the query or the path.
    Parameter(&'a str),
    Header(&'a str),
}

impl Place<'_> {
    /// Makes the error for this place; `detail` is a whole sentence.
    pub(crate) fn error(self, code: FieldErrorCode, detail: impl Into<String>) -> FieldError {
        let (mut pointer, mut parameter, mut header) = (None, None, None);
        match self {
            Self::Body => pointer = Some("#".to_owned()),
            Self::Member(path) => pointer = Some(format!("#/{path}")),
            Self::Parameter(name) => parameter = Some(name.to_owned()),
            Self::Header(name) => header = Some(name.to_owned()),
        }
        FieldError { code, detail: detail.into(), header, parameter, pointer, extra: serde_json::Map::new() }
    }
}
