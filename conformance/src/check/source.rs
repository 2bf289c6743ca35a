//! Texts that requirements rest on.

use std::fmt;

/// A text that states a requirement, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A sentence in the descriptions of `openapi.yaml`, word for word, with each line break as a space.
    Sentence(&'static str),
    /// A JSON pointer (RFC 6901) to a part of `openapi.yaml` that states the requirement without a sentence, such as a schema or a limit.
    Part(&'static str),
    /// A numbered fact of `docs/service.md`, such as `4.2`.
    Fact(&'static str),
    /// A section of a published standard, such as `("RFC 9110", "13.1.2")`.
    Standard(&'static str, &'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sentence(text) => write!(formatter, "openapi.yaml: \u{201c}{text}\u{201d}"),
            Self::Part(pointer) => write!(formatter, "openapi.yaml#{pointer}"),
            Self::Fact(number) => write!(formatter, "docs/service.md, section {number}"),
            Self::Standard(name, section) => write!(formatter, "{name}, section {section}"),
        }
    }
}
