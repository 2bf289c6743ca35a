//! Facts that an article states about its text: counts, reading time, lengths.

use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::check::{Halt, Requirement, Verdict, demand, ensure, ensure_met, html};
use crate::steps::written::text;

/// Why an article without text decides nothing.
const NO_WORDS: &str = "the article has no words";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text(
            "articles.text.word-count",
            "word_count is the number of words of the text of content_html; 2 % are allowed.",
            word_count,
        ),
        text(
            "articles.text.reading-time",
            "reading_time_minutes is word_count divided by 275, rounded up, at least 1.",
            reading_time,
        ),
        text(
            "articles.text.lengths",
            "title has 1 to 110 code points, excerpt at most 300, meta_title at most 60, meta_description 50 to 160; title and excerpt are plain text.",
            lengths,
        ),
    ]
}

fn count_words(article: &Value) -> Result<i64, Halt> {
    let text = html::text(demand::text(article, "content_html")?);
    Ok(i64::try_from(text.unicode_words().count()).unwrap_or(i64::MAX))
}

pub(super) async fn word_count(article: Value) -> Verdict {
    let counted = count_words(&article)?;
    let stated = article["word_count"].as_i64().unwrap_or(-1);
    let allowed = counted / 50 + 1;
    ensure((stated - counted).abs() <= allowed, format!("word_count about {counted}"), || stated.to_string())?;
    ensure_met(counted > 0, NO_WORDS)
}

pub(super) async fn reading_time(article: Value) -> Verdict {
    let words = article["word_count"].as_i64().unwrap_or(0);
    let expected = words.div_euclid(275) + i64::from(words.rem_euclid(275) > 0);
    demand::same("reading_time_minutes", &json!(expected.max(1)), &article["reading_time_minutes"])?;
    ensure_met(words > 0, NO_WORDS)
}

async fn lengths(article: Value) -> Verdict {
    for (member, minimum, maximum) in
        [("title", 1, 110), ("excerpt", 0, 300), ("meta_title", 0, 60), ("meta_description", 50, 160)]
    {
        let length = article[member].as_str().unwrap_or_default().chars().count();
        ensure(
            (minimum..=maximum).contains(&length),
            format!("{member} of {minimum} to {maximum} code points"),
            || length.to_string(),
        )?;
    }
    for member in ["title", "excerpt"] {
        let value = article[member].as_str().unwrap_or_default();
        let tagged = html::pieces(value).iter().any(|piece| matches!(piece, html::Piece::Tag(_)));
        ensure(!tagged, format!("{member} as plain text"), || value.to_owned())?;
    }
    Ok(())
}
