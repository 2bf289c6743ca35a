//! Markdown as plain text, for speech output, counting and e-mail. Omits pictures and addresses.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Returns the text of a Markdown document without its markup.
pub(crate) fn plain(markdown: &str) -> String {
    let mut writer = Writer::default();
    Parser::new_ext(markdown, Options::ENABLE_TABLES).for_each(|event| writer.take(event));
    writer.text.truncate(writer.text.trim_end().len());
    writer.text + "\n"
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The next number of each open list; `None` for a bulleted list.
    lists: Vec<Option<u64>>,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::Start(Tag::List(first)) => {
                self.end_line();
                self.lists.push(first);
            }
            Event::Start(Tag::Item) => self.begin_item(),
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.end_block();
                }
            }
            Event::End(TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead) => self.end_line(),
            Event::End(TagEnd::TableCell) => self.text.push('\t'),
            // The paragraphs of a list item have no blank lines between them.
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::BlockQuote(_) | TagEnd::CodeBlock)
                if !self.lists.is_empty() =>
            {
                self.end_line();
            }
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::BlockQuote(_) | TagEnd::CodeBlock | TagEnd::Table,
            ) => {
                self.end_block();
            }
            _ => {}
        }
    }

    fn begin_item(&mut self) {
        self.end_line();
        let depth = self.lists.len().saturating_sub(1);
        self.text.push_str(&"  ".repeat(depth));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                self.text.push_str(&number.to_string());
                self.text.push_str(". ");
                *number += 1;
            }
            _ => self.text.push_str("- "),
        }
    }

    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches('\t').len());
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn end_block(&mut self) {
        self.text.truncate(self.text.trim_end().len());
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_words_stay() {
        let markdown = "## A *bed*\n\nSun [matters](https://a.example) `most`.\n\n1. dig\n2. sow\n   - deep\n\n\
                        | a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n<b>not this tag</b>";
        assert_eq!(
            plain(markdown),
            "A bed\n\nSun matters most.\n\n1. dig\n2. sow\n  - deep\n\na\tb\n1\t2\n\nsaid\n\nnot this tag\n"
        );
    }
}
