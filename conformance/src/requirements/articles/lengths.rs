//! Lengths of the texts of an article, its reading time, and the form of its slug.

use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met, html};
use crate::steps;
use crate::steps::texts::text;

/// Reason why an article without text is inconclusive.
const NO_WORDS: &str = "the article has no words";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text(
            "articles.text.word-count",
            "word_count is the number of words in the text of content_html, give or take 2 %.",
            &[
                Sentence("`word_count` is the number of words in the text of `content_html`, give or take 2 %."),
                Sentence(
                    "A word is a segment of text by the default rules of Unicode Standard Annex #29 that contains a letter or a digit.",
                ),
            ],
            word_count,
        ),
        text(
            "articles.text.reading-time",
            "reading_time_minutes is word_count divided by 275, rounded up, at least 1.",
            &[Sentence("`reading_time_minutes` is `max(1, ceil(word_count / 275))`.")],
            reading_time,
        ),
        text(
            "articles.text.lengths",
            "title has 1 to 110 code points, excerpt at most 300, meta_title at most 60, meta_description 50 to 160. title and excerpt are plain text.",
            &[
                Part("/components/schemas/ArticleSummary/properties/title/maxLength"),
                Part("/components/schemas/ArticleSummary/properties/title/minLength"),
                Part("/components/schemas/ArticleSummary/properties/excerpt/maxLength"),
                Part("/components/schemas/Article/allOf/1/properties/meta_title/maxLength"),
                Part("/components/schemas/Article/allOf/1/properties/meta_description/minLength"),
                Part("/components/schemas/Article/allOf/1/properties/meta_description/maxLength"),
                Sentence("Title in plain text."),
                Sentence("A few sentences in plain text."),
            ],
            lengths,
        ),
        Requirement::new(
            "articles.slug.unique",
            "slug has at most 80 lower-case letters, digits and single hyphens, and is unique per website, even for equal topics.",
            &[
                Sentence("`slug` is unique per website."),
                Part("/components/schemas/ArticleSummary/properties/slug/pattern"),
                Part("/components/schemas/ArticleSummary/properties/slug/maxLength"),
            ],
            unique_slugs,
        )
        .needs(JOBS),
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
    for (field, minimum, maximum) in
        [("title", 1, 110), ("excerpt", 0, 300), ("meta_title", 0, 60), ("meta_description", 50, 160)]
    {
        let length = article[field].as_str().unwrap_or_default().chars().count();
        ensure(
            (minimum..=maximum).contains(&length),
            format!("{field} of {minimum} to {maximum} code points"),
            || length.to_string(),
        )?;
    }
    for field in ["title", "excerpt"] {
        let value = article[field].as_str().unwrap_or_default();
        let tagged = html::pieces(value).iter().any(|piece| matches!(piece, html::Piece::Tag(_)));
        ensure(!tagged, format!("{field} as plain text"), || value.to_owned())?;
    }
    Ok(())
}

async fn unique_slugs(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Tying a bowline knot");
    let calls = (0..4).map(|_| steps::written(&context, &body));
    let mut seen = std::collections::BTreeSet::new();
    for (_, article) in futures::future::try_join_all(calls).await? {
        let slug = demand::text(demand::json(&article)?, "slug")?.to_owned();
        has_slug_form(&slug)?;
        ensure(seen.insert(slug.clone()), "four different slugs", || format!("{slug} twice"))?;
    }
    Ok(())
}

/// Demands the form of a slug.
pub(super) fn has_slug_form(slug: &str) -> Verdict {
    let parts = slug.split('-').all(|part| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    });
    ensure(parts && slug.len() <= 80, "a slug of at most 80 lower-case letters, digits and single hyphens", || {
        slug.to_owned()
    })
}
