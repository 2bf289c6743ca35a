//! An error and its sources as one line, for the log and for standard error.

use std::error::Error;
use std::fmt;

/// Shows an error and each of its sources, separated by colons.
pub struct ErrorChain<'e>(pub &'e (dyn Error + 'static));

impl fmt::Debug for ErrorChain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.to_string();
        formatter.write_str(&shown)?;
        let mut source = self.0.source();
        while let Some(cause) = source {
            let text = cause.to_string();
            // Some errors repeat their source in their own message.
            if !shown.contains(&text) {
                write!(formatter, ": {text}")?;
                shown.push_str(&text);
            }
            source = cause.source();
        }
        Ok(())
    }
}
