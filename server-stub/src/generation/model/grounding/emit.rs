//! Writes blocks as Markdown. All other mark-up is escaped.

use std::fmt::Write as _;

use crate::generation::assemble::{escape, link};

use super::markdown::Block;
use super::spans::{Span, text_of};

/// Returns the Markdown of blocks other than headings.
pub(in super::super) fn emit(blocks: &[Block]) -> String {
    let mut markdown = String::new();
    let mut was_entry = false;
    for block in blocks {
        let is_entry = matches!(block, Block::Entry(..));
        if !markdown.is_empty() {
            markdown.push_str(if is_entry && was_entry { "\n" } else { "\n\n" });
        }
        match block {
            Block::Paragraph(spans) | Block::Heading(_, spans) | Block::Quotation(spans) => {
                markdown.push_str(&inline(spans));
            }
            Block::Entry(depth, number, spans) => entry(&mut markdown, *depth, *number, spans),
            Block::Code(language, code) => fenced(&mut markdown, language, code),
            Block::Table(rows) => table(&mut markdown, rows),
        }
        was_entry = is_entry;
    }
    markdown
}

/// Returns pieces of text as one line.
pub(super) fn inline(spans: &[Span]) -> String {
    let last = spans.len().saturating_sub(1);
    let mut line = String::new();
    for (number, span) in spans.iter().enumerate() {
        let text = &span.text;
        let core = text.trim();
        // White space must be outside the marks: inside, the marks would lose their meaning.
        if number > 0 && text.starts_with(char::is_whitespace) {
            line.push(' ');
        }
        if !core.is_empty() {
            let next = spans.get(number + 1).and_then(|span| span.text.chars().next());
            let next = if text.ends_with(char::is_whitespace) { None } else { next };
            let styled = styled(core, span, line.chars().last(), next);
            line.push_str(&styled);
            if number < last && text.ends_with(char::is_whitespace) {
                line.push(' ');
            }
        }
    }
    line.trim().to_owned()
}

/// Returns a piece of text with its style, between the characters `before` and `after`. Without emphasis if `CommonMark` would show
/// the marks there.
fn styled(core: &str, span: &Span, before: Option<char>, after: Option<char>) -> String {
    let style = &span.style;
    let text = match &style.link {
        Some(url) => link(core, url),
        None if style.is_code => code(core),
        None => escape(core),
    };
    let is_of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_apart =
        |letter: Option<char>| letter.is_none_or(|letter| letter.is_whitespace() || letter.is_ascii_punctuation());
    let begins = is_of_word(text.chars().next()) || is_apart(before);
    let ends = is_of_word(text.chars().last()) || is_apart(after);
    let marks = match (style.is_strong, style.is_emphasised) {
        _ if before == Some('*') || !begins || !ends => "",
        (true, true) => "***",
        (true, false) => "**",
        (false, true) => "*",
        (false, false) => "",
    };
    format!("{marks}{text}{marks}")
}

/// Returns inline code, fenced by more backticks than it contains.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}

fn entry(markdown: &mut String, depth: usize, number: Option<u64>, spans: &[Span]) {
    // Four columns of indentation nest into an entry with or without a number, because numbers have one or two digits.
    let indent = "    ".repeat(depth);
    let mark = number.map_or_else(|| "-  ".to_owned(), |number| format!("{}.", number % 100));
    write!(markdown, "{indent}{mark:<3} {}", inline(spans)).expect("a string takes everything");
}

fn fenced(markdown: &mut String, language: &str, code: &str) {
    let language: String = language.chars().take_while(char::is_ascii_alphanumeric).take(20).collect();
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    write!(markdown, "{fence}{language}\n{}\n{fence}", code.trim_end()).expect("a string takes everything");
}

fn table(markdown: &mut String, rows: &[Vec<Vec<Span>>]) {
    let columns = rows.first().map_or(0, Vec::len);
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            markdown.push('\n');
        }
        // Cells have plain text: escaping styles and code in cells is not worth the effort.
        let cells = (0..columns).map(|column| row.get(column).map_or_else(String::new, |cell| escape(&text_of(cell))));
        write!(markdown, "| {} |", cells.collect::<Vec<_>>().join(" | ")).expect("a string takes everything");
        if number == 0 {
            write!(markdown, "\n|{}", " --- |".repeat(columns)).expect("a string takes everything");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::markdown::blocks;
    use super::super::spans::Style;
    use super::*;
    use crate::generation::assemble::render;

    #[test]
    fn emitted_markdown_renders_like_its_source() {
        for markdown in [
            "Plain *emphasis* and **strong** text with `code` and ``a ` b``.",
            "- one\n- two\n\n    1. deep\n    2. deeper\n\n- three",
            "1. one\n2. two",
            "| a | b |\n| --- | --- |\n| c | d |",
            "```rust\nlet x = 1;\n```",
            "A \\*star\\* and a [bracket] and a | pipe",
        ] {
            let put = emit(&blocks(markdown));
            assert_eq!(emit(&blocks(&put)), put, "{markdown}");
            let tags = |text: &str| render(text).html.replace('\n', "").replace("<p>", "").replace("</p>", "");
            assert_eq!(tags(&put), tags(markdown), "{put}");
        }
    }

    #[test]
    fn emphasis_that_would_show_its_marks_is_left_out() {
        for (markdown, expected) in [
            ("*t`5. )`*", "*t*`5. )`"),
            ("a**b**c", "a**b**c"),
            ("**(a)**, *b*", "**(a)**, *b*"),
            ("*a***b**", "*a*b"),
            ("“*a*”", "“*a*”"),
        ] {
            assert_eq!(emit(&blocks(markdown)), expected, "{markdown}");
        }
    }

    #[test]
    fn emphasis_beside_a_letter_is_left_out_if_it_begins_or_ends_with_a_mark() {
        let span = |text: &str, is_strong, is_emphasised| Span {
            text: text.to_owned(),
            style: Style { is_strong, is_emphasised, ..Style::default() },
        };
        for (spans, expected) in [
            ([span("a", false, false), span("(b)", true, false)], "a(b)"),
            ([span("(b)", true, false), span("a", false, false)], "(b)a"),
            ([span("(b)", false, true), span(" a", false, false)], "*(b)* a"),
        ] {
            assert_eq!(inline(&spans), expected);
        }
    }
}
