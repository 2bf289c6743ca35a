//! Problems of a request that are found before it is sent.

use std::fmt;

use crate::error::Error;
use crate::generated::types::{FieldError, FieldErrorCode};

/// A request that breaks bounds of the document. Contains every problem with its place, in the same form as a server's problem list.
///
/// ```
/// use contentgen_sdk::types::GenerateRequest;
///
/// let request = GenerateRequest::builder().topic("").target_word_count(7_u32).website_id("web_1");
/// let refused = GenerateRequest::try_from(request).unwrap_err();
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

impl From<Box<FieldError>> for InvalidRequest {
    fn from(error: Box<FieldError>) -> Self {
        Self(vec![*error])
    }
}

/// Collects the problems of a request while it is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<FieldError>);

impl Faults {
    /// Returns a value, or records its problem and returns `None`.
    pub(crate) fn take<T>(&mut self, value: Result<T, impl Into<InvalidRequest>>) -> Option<T> {
        value.map_err(|refused| self.0.extend(refused.into().0)).ok()
    }

    /// Adds a problem.
    pub(crate) fn add(&mut self, error: FieldError) {
        self.0.push(error);
    }

    /// Returns the request if no problem was found.
    pub(crate) fn or<T>(self, request: Option<T>) -> Result<T, InvalidRequest> {
        match request {
            Some(request) if self.0.is_empty() => Ok(request),
            _ => Err(InvalidRequest(self.0)),
        }
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

    /// Makes the error of a required value that is missing.
    pub(crate) fn missing(self) -> Box<FieldError> {
        Box::new(self.error(FieldErrorCode::Required, format!("`{}` is missing", self.name())))
    }

    /// Returns the name of the place.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Body => "the body".to_owned(),
            Self::Member(name) | Self::Parameter(name) | Self::Header(name) => name.to_owned(),
        }
    }
}
