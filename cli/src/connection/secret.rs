//! Sources of a secret: a variable, a program such as that of a keyring, or a file that `login` wrote.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use super::printed::printed_by;
use crate::arguments::variable;
use crate::failure::Failure;

/// Maximum number of bytes that are read of a file.
const MOST_SECRET_BYTES: u64 = 4096;
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
    /// Content of this file.
    File(PathBuf),
}

impl Secret {
    /// Returns the source that a profile names, if any.
    pub(super) fn of(
        what: &str,
        variable: Option<String>,
        program: Option<Vec<String>>,
        file: Option<PathBuf>,
    ) -> Result<Option<Self>, Failure> {
        let places = [
            variable.map(|name| ("env", Place::Variable(name))),
            program.map(|words| ("command", Place::Program(words))),
            file.map(|path| ("file", Place::File(path))),
        ];
        let mut places = places.into_iter().flatten();
        match (places.next(), places.next()) {
            (Some((first, _)), Some((second, _))) => {
                Err(Failure::usage(format!("the profile has both `{what}_{first}` and `{what}_{second}`; keep one")))
            }
            (place, _) => Ok(place.map(|(member, place)| Self { member: format!("{what}_{member}"), place })),
        }
    }

    /// Reads the secret. Messages show the name of the profile's field, but not its value, which may be the secret itself.
    pub(super) fn read(self) -> Result<String, Failure> {
        let Self { member, place } = self;
        match place {
            Place::Variable(name) => variable(&name).ok_or_else(|| unset(&member, &name)),
            Place::Program(words) => printed_by(&words)
                .map_err(|what| Failure::usage(format!("the program in `{member}` of the profile {what}"))),
            Place::File(path) => {
                let mut text = String::new();
                let read = File::open(path).and_then(|file| file.take(MOST_SECRET_BYTES).read_to_string(&mut text));
                let failed = |what: &dyn std::fmt::Display| {
                    let failure = Failure::usage(format!("the file in `{member}` of the profile {what}"));
                    failure.advise("`contentgen login` stores a key")
                };
                read.map_err(|error| failed(&format!("cannot be read: {error}")))?;
                let text = text.trim();
                if text.is_empty() { Err(failed(&"is empty")) } else { Ok(text.to_owned()) }
            }
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
