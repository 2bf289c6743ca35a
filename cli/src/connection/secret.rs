//! Sources of a secret that is not in a file: a variable, or a program such as that of a keyring.

use super::printed::printed_by;
use crate::arguments::variable;
use crate::failure::Failure;

/// Maximum number of characters of a word in the name of a variable; a longer word may be a key.
const LONGEST_WORD: usize = 20;
/// Maximum number of characters of a word with digits between letters.
const LONGEST_WORD_WITH_DIGITS: usize = 7;

/// Source of a secret, and the field of the profile that names it.
pub(super) struct Secret {
    member: String,
    place: Place,
}

enum Place {
    /// The variable of this name.
    Variable(String),
    /// Output of this program, started without a shell.
    Program(Vec<String>),
}

impl Secret {
    /// Returns the source that a profile names, if any.
    pub(super) fn of(
        what: &str,
        variable: Option<String>,
        program: Option<Vec<String>>,
    ) -> Result<Option<Self>, Failure> {
        let (member, place) = match (variable, program) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage(format!(
                    "the profile has both `{what}_env` and `{what}_command`; keep one"
                )));
            }
            (Some(name), None) => ("env", Place::Variable(name)),
            (None, Some(words)) => ("command", Place::Program(words)),
            (None, None) => return Ok(None),
        };
        Ok(Some(Self { member: format!("{what}_{member}"), place }))
    }

    /// Reads the secret. Messages show the name of the profile's field, but not its value, which may be the secret itself.
    pub(super) fn read(self) -> Result<String, Failure> {
        let Self { member, place } = self;
        match place {
            Place::Variable(name) => variable(&name).ok_or_else(|| unset(&member, &name)),
            Place::Program(words) => printed_by(&words)
                .map_err(|what| Failure::usage(format!("the program in `{member}` of the profile {what}"))),
        }
    }
}

/// Makes the error of an unset variable. Shows its name only if that cannot be a key.
fn unset(member: &str, name: &str) -> Failure {
    if is_name_of_a_variable(name) {
        return Failure::usage(format!("the variable {name}, named by `{member}` of the profile, is not set"));
    }
    let failure = Failure::usage(format!("`{member}` of the profile is not the name of an environment variable"));
    failure.advise("write the name of a variable there, not the secret itself")
}

/// Returns true if a text looks like a variable's name and not like a key: short words, even shorter with digits between letters.
fn is_name_of_a_variable(text: &str) -> bool {
    let is_written_so = text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'));
    let is_short = |word: &str| {
        let has_digits = word
            .trim_end_matches(|letter: char| letter.is_ascii_digit())
            .contains(|letter: char| letter.is_ascii_digit());
        word.len() <= if has_digits { LONGEST_WORD_WITH_DIGITS } else { LONGEST_WORD }
    };
    is_written_so && !text.starts_with(|letter: char| letter.is_ascii_digit()) && text.split('_').all(is_short)
}
