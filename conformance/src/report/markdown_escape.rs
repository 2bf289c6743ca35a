//! Escapes texts from targets and reports in Markdown, so that they cannot be markup.

use std::fmt::Write as _;

use super::visible::on_one_line;
use crate::check::excerpt;

/// Maximum length of a command, in characters.
const LONGEST_COMMAND: usize = 1_600;

/// Returns the first `kept` characters of a text on one line, escaped so that nothing in it is markup, a link or HTML.
pub(super) fn escaped(text: &str, kept: usize) -> String {
    let shown = excerpt(&on_one_line(text), kept);
    let mut escaped = String::new();
    for letter in shown.chars() {
        match letter {
            // Some readers turn `www.` alone into a link.
            '.' if escaped.to_ascii_lowercase().ends_with("www") => escaped.push_str("&#46;"),
            // These have no meaning within a line, in Markdown or HTML.
            ' ' | ',' | '.' | ';' | '/' | '=' | '-' | '\'' | '%' | '?' => escaped.push(letter),
            letter if letter.is_ascii_punctuation() => {
                let _ = write!(escaped, "&#{};", u32::from(letter));
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Returns the same as code: there GitHub and GitLab do not turn `@name` into a mention and `#1` into a link either.
pub(super) fn code(text: &str, kept: usize) -> String {
    format!("<code>{}</code>", escaped(text, kept))
}

/// Returns a command as a block of code that it cannot end. Omits a command that is too long: half of a command is useless.
pub(super) fn fenced(command: &str) -> String {
    let mut shown = on_one_line(command);
    let length = shown.chars().count();
    if length > LONGEST_COMMAND {
        shown = format!("# {length} characters are too long to show here; report.html and report.json have them");
    }
    let longest = shown.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}sh\n{shown}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::{code, escaped, fenced};

    #[test]
    fn nothing_of_a_text_is_markup_a_link_or_a_line_of_its_own() {
        assert_eq!(escaped("a|b\n# c", 100), "a&#124;b&#92;n&#35; c");
        assert_eq!(escaped("www.example.org", 100), "www&#46;example.org");
        assert_eq!(code("</code>@all", 100), "<code>&#60;/code&#62;&#64;all</code>");
        assert!(escaped(&"x".repeat(50), 10).chars().count() < 50);
    }

    #[test]
    fn a_command_cannot_leave_its_block() {
        assert_eq!(fenced("a ``` b"), "````sh\na ``` b\n````");
    }
}
