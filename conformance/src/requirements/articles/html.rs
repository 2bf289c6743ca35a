//! The HTML of an article: an outline, and nothing that runs.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met, html};
use crate::steps;
use crate::steps::written::text;

const SOURCE: &str = "openapi.yaml, Article, x-conformance";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text(
            "articles.html.safe",
            "content_html holds no scripts, no event handlers and no javascript: addresses.",
            safe,
        ),
        text(
            "articles.html.outline",
            "outline lists the headings of the text in order, levels 2 to 4, with unique anchors that exist in content_html.",
            outline,
        ),
        Requirement::must(
            "articles.html.hostile-topics",
            "Markup, template or SQL syntax in a topic does no harm: the title stays plain text and content_html safe.",
            SOURCE,
            hostile,
        )
        .needs(JOBS)
        .drawn(
            "topics with markup, templates, SQL, right-to-left and zero-width letters",
            Cases::Exactly(8),
            |_, draw| json!(draw.index()),
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
    ensure_met(has_markup, "content_html holds no element")
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
        demand::same("text of the heading", &json!(heading.trim()), &entry["text"])?;
        let anchor = demand::text(entry, "anchor")?;
        ensure(anchors.insert(anchor.to_owned()), "unique anchors", || format!("{anchor} twice"))?;
        demand::same("id of the heading in content_html", &json!(anchor), &json!(id))?;
    }
    Ok(())
}

async fn hostile(context: Context, case: Value) -> Verdict {
    let topics = [
        "<script>alert(1)</script> and <b>bold</b> gardening",
        "{{7*7}} ${7*7} #{7*7} baking bread",
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
    let computed = article["title"].as_str().unwrap_or_default().contains("49");
    ensure(!computed, "a title in which nothing was computed", || demand::brief(&article["title"]))
}
