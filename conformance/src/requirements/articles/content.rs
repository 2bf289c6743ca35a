//! The text of an article as Markdown and HTML: the same words, the same outline, and nothing that can run.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Requirement, Source, Verdict, demand, ensure, ensure_met, html, markdown,
};
use crate::steps;
use crate::steps::texts::{derived, text};

/// Sentence that lists what sanitised HTML does not have.
const SAFE_PARTS: Source = Sentence(
    "It has none of the elements `script`, `style`, `iframe`, `object`, `embed`, `link`, `meta`, `base`, `form`, `input`, `svg` and `math`, no attribute `srcdoc`, no attribute `style` except for `text-align`, and no `vbscript:` or `data:` address except for a raster image in `img`.",
);

/// Sentences that make `content_html` safe to show.
const SAFE: &[Source] = &[
    Sentence("The text as sanitised HTML."),
    Sentence("`content_html` is the sanitised rendering of `content_markdown`."),
    Sentence("It has no script, no event handler and no `javascript:` address."),
    SAFE_PARTS,
];

const JOBS: &[Capability] = &[Capability::JOBS];

/// Number of words that a finding shows from the first difference on.
const SHOWN: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text(
            "articles.html.safe",
            "content_html has no element, attribute or address that can run a script or change the page around it, such as an event handler or a javascript: address.",
            SAFE,
            safe,
        ),
        text(
            "articles.html.outline",
            "outline lists the headings of the text in order, with levels 2 to 4 and unique anchors that are ids in content_html.",
            &[
                Sentence("`outline` lists the headings of `content_markdown`."),
                Sentence("Anchors are unique and are the ids of the headings in `content_html`."),
                Sentence("Headings of the text, in order."),
                Sentence("Level of the heading: 2 for h2 to 4 for h4."),
                Sentence("Text of the heading in `content_html`."),
                Sentence("Id of the heading in the HTML, unique in the article."),
            ],
            outline,
        ),
        Requirement::new(
            "articles.html.hostile-topics",
            "Markup, template or SQL syntax in a topic has no effect: the topic is kept as sent, the title contains no computed value, and content_html is safe.",
            &[
                Sentence("The service keeps it as sent."),
                Sentence("The topic as sent."),
                Sentence("Title in plain text."),
                Sentence("It has no script, no event handler and no `javascript:` address."),
                SAFE_PARTS,
                Part("/components/schemas/GenerateRequest/properties/topic/pattern"),
            ],
            hostile,
        )
        .needs(JOBS)
        .drawn(
            "topics with markup, templates, SQL, right-to-left and zero-width letters",
            Cases::Exactly(8),
            |_, draw| json!(draw.index()),
        ),
        derived(
            "articles.markdown.outline",
            "outline has the levels of the headings of content_markdown, in order.",
            &[
                Sentence("`outline` lists the headings of `content_markdown`."),
                Sentence("The text as CommonMark with tables."),
                Sentence("Headings of the text, in order."),
            ],
            markdown_outline,
        ),
        text(
            "articles.markdown.plain",
            "content_markdown has no level 1 heading and no raw HTML.",
            &[Sentence("`content_markdown` has no level 1 heading and no raw HTML.")],
            markdown,
        ),
        derived(
            "articles.rendering.same-text",
            "content_html is the rendering of content_markdown: both have the same words in the same order.",
            &[
                Sentence("`content_html` is the sanitised rendering of `content_markdown`."),
                Sentence("The text as CommonMark with tables."),
            ],
            same_text,
        ),
    ]
}

async fn safe(article: Value) -> Verdict {
    is_safe(&article)
}

pub(super) fn is_safe(article: &Value) -> Verdict {
    let text = demand::text(article, "content_html")?;
    let danger = html::danger(text);
    ensure(danger.is_none(), "safe HTML", || danger.unwrap_or_default())?;
    let has_markup = html::pieces(text).iter().any(|piece| matches!(piece, html::Piece::Tag(_)));
    ensure_met(has_markup, "content_html has no element")
}

pub(super) async fn outline(article: Value) -> Verdict {
    let headings = html::headings(demand::text(&article, "content_html")?);
    let entries = article["outline"].as_array().cloned().unwrap_or_default();
    ensure(entries.len() == headings.len(), format!("{} entries, one for each heading", headings.len()), || {
        entries.len().to_string()
    })?;
    ensure_met(!headings.is_empty(), "the article has no heading")?;
    let mut anchors = std::collections::BTreeSet::new();
    for (entry, (level, heading, id)) in entries.iter().zip(&headings) {
        ensure((2..=4).contains(level), "headings of level 2 to 4", || level.to_string())?;
        demand::same("level", &json!(level), &entry["level"])?;
        let text = entry["text"].as_str().map(single_spaced);
        demand::same("text of the heading", &json!(single_spaced(heading)), &json!(text))?;
        let anchor = demand::text(entry, "anchor")?;
        ensure(anchors.insert(anchor.to_owned()), "unique anchors", || format!("{anchor} twice"))?;
        demand::same("id of the heading in content_html", &json!(anchor), &json!(id))?;
    }
    Ok(())
}

/// Returns the words of a text with one space between them, as a page shows it.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn hostile(context: Context, case: Value) -> Verdict {
    const TEMPLATE: &str = "{{7*7}} ${7*7} #{7*7} baking bread";
    let topics = [
        "<script>alert(1)</script> and <b>bold</b> gardening",
        TEMPLATE,
        "'; DROP TABLE jobs; -- window cleaning",
        "[click](javascript:alert(1)) cycling",
        "<img src=x onerror=alert(1)> knitting",
        "\u{202e}reversed text and \u{200b}zero\u{200d}width gardening",
        "# Heading\n\n- list\n\n```\ncode\n``` cooking",
        "5 < 6 & 7 > 3: comparing \"numbers\"",
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % topics.len();
    let body = steps::quiet_request(&context, topics[index]);
    let (_, article) = steps::written_once(&context, &body).await?;
    let article = demand::json(&article)?;
    is_safe(article)?;
    demand::same("topic", &body["topic"], &article["topic"])?;
    let computed = topics[index] == TEMPLATE && article["title"].as_str().unwrap_or_default().contains("49");
    ensure(!computed, "a title without a computed value", || demand::brief(&article["title"]))
}

pub(super) fn markdown_outline(article: &Value) -> Verdict {
    let levels = markdown::heading_levels(demand::text(article, "content_markdown")?);
    let outline: Vec<Value> =
        article["outline"].as_array().into_iter().flatten().map(|entry| entry["level"].clone()).collect();
    demand::same("levels of the outline", &json!(levels), &Value::Array(outline))?;
    ensure_met(!levels.is_empty(), "the article has no heading")
}

pub(super) async fn markdown(article: Value) -> Verdict {
    let text = demand::text(&article, "content_markdown")?;
    ensure_met(!text.trim().is_empty(), "content_markdown is blank")?;
    let levels = markdown::heading_levels(text);
    ensure(!levels.contains(&1), "no level 1 heading in content_markdown", || {
        format!("headings of levels {levels:?}")
    })?;
    let raw = markdown::raw_html(text);
    ensure(raw.is_none(), "no raw HTML in content_markdown", || raw.unwrap_or_default())
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
