//! What is wrong with a request, as far as that is known before it is sent.

use std::fmt;

use crate::error::Error;
use crate::generated::types::{FieldError, FieldErrorCode};
use crate::segment::encoded;

/// A request that breaks bounds of the document: everything that is wrong with it, each with its place, as a server's problem would list
/// it.
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
    /// What is wrong, at least one of them.
    pub fn field_errors(&self) -> &[FieldError] {
        &self.0
    }
}

/// One sentence for each of them.
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

/// What is found wrong with a request, until all of it has been looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<FieldError>);

impl Faults {
    /// A value, or nothing where it is wrong.
    pub(crate) fn take<T>(&mut self, value: Result<T, impl Into<InvalidRequest>>) -> Option<T> {
        value.map_err(|refused| self.0.extend(refused.into().0)).ok()
    }

    /// Adds one.
    pub(crate) fn add(&mut self, error: FieldError) {
        self.0.push(error);
    }

    /// The request, if nothing was found.
    pub(crate) fn or<T>(self, request: Option<T>) -> Result<T, InvalidRequest> {
        match request {
            Some(request) if self.0.is_empty() => Ok(request),
            _ => Err(InvalidRequest(self.0)),
        }
    }
}

/// Where something is wrong with a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// The body as a whole.
    Body,
    /// A member of the body, by its path: `keywords/3`.
    Member(&'a str),
    /// A parameter of the query or the path.
    Parameter(&'a str),
    Header(&'a str),
}

impl Place<'_> {
    /// What is wrong there; `detail` is a whole sentence.
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

    /// The same of a value that is needed and was not given.
    pub(crate) fn missing(self) -> Box<FieldError> {
        Box::new(self.error(FieldErrorCode::Required, format!("`{}` is missing", self.name())))
    }

    /// What the place is called.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Body => "the body".to_owned(),
            Self::Member(name) | Self::Parameter(name) | Self::Header(name) => name.to_owned(),
        }
    }
}

/// A name as one step of a pointer in a URI fragment (RFC 6901, sections 3 and 6).
pub(crate) fn step(name: &str) -> String {
    encoded(&name.replace('~', "~0").replace('/', "~1")).into_owned()
}
