//! Versions of the document.

use std::fmt;
use std::str::FromStr;

/// A version of the document, such as 1.2.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u16; 3]);

impl Version {
    /// Returns a version.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self([major, minor, patch])
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |part: &str| part.parse().ok().filter(|number: &u16| number.to_string() == part).ok_or(());
        let numbers: Result<Vec<u16>, ()> = text.split('.').map(number).collect();
        let version = numbers.ok().and_then(|numbers| numbers.try_into().ok()).map(Self);
        version.ok_or_else(|| format!("`{text}` is not a version: write three numbers, as in 1.2.0"))
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_in_the_order_of_their_numbers() {
        let version = |text: &str| text.parse::<Version>();
        assert!(version("1.9.0").unwrap() < version("1.10.0").unwrap());
        assert_eq!(version("1.2.3"), Ok(Version::new(1, 2, 3)));
        assert_eq!(Version::new(1, 2, 3).to_string(), "1.2.3");
        for text in ["1.2", "1.2.3.4", "v1.2.3", "1.2.x", "", "1.2.70000", "1.02.3", "+1.2.3"] {
            assert!(version(text).is_err(), "{text}");
        }
    }
}
