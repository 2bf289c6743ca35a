//! Equivalent CommonMark for the Markdown of an article.

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use super::body;
use crate::message::Request;

/// List markers and their replacements. Two adjacent lists stay two.
const BULLETS: [(&str, &str); 3] = [("- ", "+ "), ("+ ", "* "), ("* ", "- ")];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.markdown-setext",
        "Headings are underlined or closed with number signs: CommonMark 4.2 and 4.3 allow both.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, setext)))
    .hook(|hook, _, _| edit_hook(hook, setext)),
    variant(
        "benign.markdown-marks",
        "Lists have other bullets, numbers a parenthesis, strong words underscores: CommonMark 5.2 and 6.2 allow each.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, other_marks)))
    .hook(|hook, _, _| edit_hook(hook, other_marks)),
    variant(
        "benign.markdown-references",
        "Links are references to definitions at the end: CommonMark 6.3 allows them.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, with_references)))
    .hook(|hook, _, _| edit_hook(hook, with_references)),
];

/// Texts with code stay unchanged, because a marker may be code.
fn edit(record: &mut Value, rewrite: fn(&str) -> String) {
    body::edit_text(record, "content_markdown", |text| {
        if text.contains(['`', '~', '\\']) { text.to_owned() } else { rewrite(text) }
    });
}

fn edit_hook(hook: &mut Request, rewrite: fn(&str) -> String) {
    body::edit_data(hook, |data| edit(data, rewrite));
}

fn setext(markdown: &str) -> String {
    let lines: Vec<&str> = markdown.split('\n').collect();
    let is_blank = |index: Option<usize>| index.and_then(|index| lines.get(index)).is_none_or(|line| line.is_empty());
    let written = lines.iter().enumerate().map(|(index, line)| {
        let is_alone = is_blank(index.checked_sub(1)) && is_blank(Some(index + 1));
        // Only a line that begins with a letter is surely plain text.
        let is_plain =
            |text: &&str| text.starts_with(char::is_alphabetic) && !text.contains('|') && !text.ends_with('#');
        if let Some(text) = line.strip_prefix("## ").filter(|text| is_alone && is_plain(text)) {
            format!("{text}\n{}", "-".repeat(text.chars().count().max(3)))
        } else if line.starts_with("###") && !line.ends_with('#') {
            format!("{line} ##")
        } else {
            (*line).to_owned()
        }
    });
    written.collect::<Vec<_>>().join("\n")
}

fn other_marks(markdown: &str) -> String {
    let lines = markdown.split('\n').map(|line| {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let bullet = BULLETS.iter().find_map(|(mark, other)| Some((text.strip_prefix(*mark)?, *other)));
        let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        match (bullet, text[digits..].strip_prefix(". ")) {
            (Some((rest, mark)), _) => format!("{indent}{mark}{}", underscored(rest)),
            (None, Some(rest)) if digits > 0 => format!("{indent}{}) {}", &text[..digits], underscored(rest)),
            _ => underscored(line),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes strong words with underscores where they are separate words.
fn underscored(line: &str) -> String {
    let parts: Vec<&str> = line.split("**").collect();
    let is_apart = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    let are_words = parts.iter().enumerate().all(|(index, part)| match index % 2 {
        0 => {
            (index == 0 || is_apart(part.chars().next()))
                && (index + 1 == parts.len() || is_apart(part.chars().next_back()))
        }
        _ => part.starts_with(char::is_alphanumeric) && part.ends_with(char::is_alphanumeric),
    });
    if are_words && parts.len() % 2 == 1 && !line.contains(['_', '|']) { parts.join("__") } else { line.to_owned() }
}

fn with_references(markdown: &str) -> String {
    let (mut written, mut rest, mut targets) = (String::new(), markdown, Vec::new());
    while let Some(middle) = rest.find("](") {
        let begin = rest[..middle].rfind('[').filter(|begin| !rest[..*begin].ends_with('!'));
        let end = rest[middle..].find(')').map(|length| middle + length);
        let target =
            end.map(|end| &rest[middle + 2..end]).filter(|target| !target.contains([' ', '\n', '(', '<', '"']));
        match (begin, end, target) {
            (Some(_), Some(end), Some(target)) if !target.is_empty() => {
                targets.push(target);
                let reference = format!("][link-{}]", targets.len());
                written.push_str(&rest[..middle]);
                written.push_str(&reference);
                rest = &rest[end + 1..];
            }
            _ => {
                written.push_str(&rest[..middle + 2]);
                rest = &rest[middle + 2..];
            }
        }
    }
    let definitions = targets.iter().enumerate().map(|(index, target)| format!("\n[link-{}]: {target}", index + 1));
    let definitions: String = definitions.collect();
    format!("{written}{rest}{}{definitions}", if targets.is_empty() { "" } else { "\n" })
}

#[cfg(test)]
mod tests {
    use super::{other_marks, setext, with_references};

    #[test]
    fn headings_are_underlined_where_nothing_else_could_be_meant() {
        assert_eq!(setext("## Rye\n\n### Bread\ntext\n\n## 1. b\n"), "Rye\n---\n\n### Bread ##\ntext\n\n## 1. b\n");
        assert_eq!(setext("text\n## Rye"), "text\n## Rye");
    }

    #[test]
    fn marks_are_exchanged() {
        let text = "- a **b c** d\n  * e\n12. **f**\n**g**h\n| - a |";
        assert_eq!(other_marks(text), "+ a __b c__ d\n  - e\n12) __f__\n**g**h\n| - a |");
    }

    #[test]
    fn links_become_references() {
        let text = "See [a b](https://x.example/?a=1) and ![i](u) or [c](d e).";
        let other = "See [a b][link-1] and ![i](u) or [c](d e).\n\n[link-1]: https://x.example/?a=1";
        assert_eq!(with_references(text), other);
        assert_eq!(with_references("none"), "none");
    }
}
