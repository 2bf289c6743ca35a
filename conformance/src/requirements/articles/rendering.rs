//! Markdown and HTML of an article have the same text.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Requirement, Verdict, demand, ensure, ensure_met, html, markdown};
use crate::steps::derived::derived;

/// Number of words that a finding shows from the first difference on.
const SHOWN: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![derived(
        "articles.rendering.same-text",
        "content_html is the rendering of content_markdown: both have the same words in the same order.",
        &[
            Sentence("`content_html` is the sanitised rendering of `content_markdown`."),
            Sentence("The text as CommonMark with tables."),
        ],
        same_text,
    )]
}

fn same_text(article: &Value) -> Verdict {
    let source = markdown::blocks(demand::text(article, "content_markdown")?).join(" ");
    let page = html::text_without_permalinks(demand::text(article, "content_html")?);
    let (written, read) = (words(&source), words(&page));
    ensure_met(!written.is_empty(), "content_markdown has no words")?;
    let common = written.iter().zip(&read).take_while(|(one, other)| one == other).count();
    let next = |words: &[&str]| words.iter().skip(common).take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    ensure(written == read, "the words of content_markdown in content_html", || {
        let (written, read) = (next(&written), next(&read));
        format!("after {common} equal words: {written:?} in content_markdown, {read:?} in content_html")
    })
}

/// Returns the runs of letters and digits. A rendering may write other characters, such as quotation marks, in another way.
fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::same_text;

    #[test]
    fn text_in_only_one_of_the_two_is_found() {
        let article = |markdown: &str, html: &str| json!({ "content_markdown": markdown, "content_html": html });
        let line = "You walk for six hours and rest where there is water";
        let markdown = format!("## Huts\n\n{line}\n");
        let html = format!("<h2 id=\"a\">Huts</h2><p>{line}</p>");
        assert!(same_text(&article(&markdown, &html)).is_ok());
        assert!(same_text(&article(&format!("{markdown}\nAnd a sponsor\n"), &html)).is_err());
        assert!(same_text(&article(&markdown, &format!("{html}<p>And a sponsor</p>"))).is_err());
        assert!(same_text(&article(&markdown, &format!("{html}<p>{line}</p>"))).is_err());
    }

    #[test]
    fn markup_entities_and_quotation_marks_are_not_text() {
        let markdown = "1. *O*ne &amp; [two](https://three.example)\n2. ![a b](/c.png) 5&nbsp;km it's `x < y`\n\n| a |\n|---|\n| b |\n";
        let html = "<ol><li><em>O</em>ne &amp; <a href=\"https://three.example\">two</a></li>\
                    <li><img src=\"/c.png\" alt=\"a b\"> 5&nbsp;km it\u{2019}s <code>x &lt; y</code></li></ol>\
                    <table><tr><th>a</th></tr><tr><td>b</td></tr></table>";
        assert_eq!(same_text(&json!({ "content_markdown": markdown, "content_html": html })), Ok(()));
    }
}
