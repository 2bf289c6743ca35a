//! Markdown and HTML of an article have the same text.

use serde_json::Value;

use crate::check::{Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps::derived::derived;
use crate::steps::passages::letters;

/// Signs that Markdown or HTML write in another way than they are read.
const SIGNS: [char; 10] = ['[', ']', '<', '>', '&', '`', '\\', '|', '*', '_'];

/// Letters and digits from which on a line is looked for.
const LEAST: usize = 20;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![derived(
        "articles.rendering.same-text",
        "content_html is the rendering of content_markdown: each line of one stands in the other, and neither has much more words.",
        same_text,
    )]
}

fn same_text(article: &Value) -> Verdict {
    let markdown = demand::text(article, "content_markdown")?;
    let content_html = demand::text(article, "content_html")?;
    rendered_from(content_html, &letters(markdown))?;
    let html = html::text(content_html);
    let rendered = letters(&html);
    let mut looked_for = 0;
    for line in markdown.lines().filter(|line| !line.contains(SIGNS)) {
        let line_letters = letters(without_number(line));
        if line_letters.chars().count() >= LEAST {
            looked_for += 1;
            ensure(rendered.contains(&line_letters), "every line of content_markdown in content_html", || {
                line.to_owned()
            })?;
        }
    }
    if looked_for == 0 {
        return Err(Halt::inconclusive("the Markdown has no line that reads the same in HTML"));
    }
    // Markdown has signs of its own between the words, and addresses of links.
    let words = |text: &str| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    let (written, read) = (words(markdown), words(&html));
    ensure(read <= written + written / 100 + 2, format!("no more than the {written} words of content_markdown"), || {
        format!("{read} words in content_html")
    })
}

/// Each piece of the HTML's text stands in the Markdown, whose letters these are: no sign of Markdown is a letter.
fn rendered_from(content_html: &str, written: &str) -> Verdict {
    for piece in html::pieces(content_html) {
        let html::Piece::Text(text) = piece else { continue };
        let read = letters(&text);
        let is_long = read.chars().count() >= LEAST;
        ensure(!is_long || written.contains(&read), "every text of content_html in content_markdown", || text.clone())?;
    }
    Ok(())
}

/// The line without the number that makes it an item of a list.
fn without_number(line: &str) -> &str {
    let text = line.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    match text.strip_prefix(['.', ')']) {
        Some(item) if item.starts_with([' ', '\t']) => item,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{same_text, without_number};

    #[test]
    fn numbers_of_items_are_signs_and_others_are_words() {
        assert_eq!(without_number("  12. Pick one"), " Pick one");
        assert_eq!(without_number("2026 was wet"), "2026 was wet");
        assert_eq!(without_number("1.5 cups"), "1.5 cups");
    }

    #[test]
    fn what_stands_in_one_only_is_found() {
        let line = "You walk for six hours and rest where there is water";
        let article = |markdown: &str, html: &str| json!({ "content_markdown": markdown, "content_html": html });
        let html = format!("<h2 id=\"a\">Huts</h2><p>{line}</p>");
        assert!(same_text(&article(&format!("## Huts\n\n{line}\n"), &html)).is_ok());
        assert!(same_text(&article(&format!("## Huts\n\n{line}\n\nAnd one more line of a sponsor"), &html)).is_err());
        let longer = format!("{html}<p>Nobody wrote this last line in Markdown</p>");
        assert!(same_text(&article(&format!("## Huts\n\n{line}\n"), &longer)).is_err());
        let more = format!("{html}<p>{line} {line}</p>");
        assert!(same_text(&article(&format!("## Huts\n\n{line}\n"), &more)).is_err());
    }
}
