//! What an article says about itself must be true of its text.
//!
//! Fetching articles is in `articles`, the Brand DNA report in `voice`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::html;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, Article, x-conformance";

pub(super) fn requirements() -> Vec<Requirement> {
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
        text("articles.markdown.plain", "content_markdown has no H1 and no raw HTML.", markdown),
        text(
            "articles.json-ld.graph",
            "json_ld is an object with @context and a @graph that holds a BlogPosting, and a FAQPage when there are questions.",
            json_ld,
        ),
        text("articles.faq.questions", "Every question of the FAQ ends with a question mark and has an answer.", faq),
        Requirement::must(
            "articles.html.hostile-topics",
            "A topic with markup, template or SQL syntax does no harm: the title stays plain and the HTML safe.",
            SOURCE,
            hostile,
        )
        .needs(JOBS)
        .drawn(
            "topics with markup, templates, SQL, right-to-left and zero-width letters",
            Cases::Exactly(8),
            |_, draw| json!(draw.index()),
        ),
        Requirement::must(
            "articles.keywords.used",
            "The article uses the words that it should use: each keyword of the request stands in the text, compared by letters and digits.",
            "openapi.yaml, GenerateRequest keywords",
            keywords,
        )
        .should()
        .needs(JOBS)
        .drawn("keywords", Cases::Exactly(4), |_, draw| json!(draw.index())),
    ]
}

fn text<Run>(id: &'static str, clause: &'static str, judge: fn(Value) -> Run) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    Requirement::must(id, clause, SOURCE, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = case["words"].clone();
        let (_, article) = steps::written(&context, &body).await?;
        judge(demand::json(&article)?.clone()).await
    })
    .needs(JOBS)
    .drawn("plain topics and lengths", Cases::Divided(16), draw_order)
}

fn draw_order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 317, 800, 1_200][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

fn count_words(article: &Value) -> Result<i64, Halt> {
    let text = html::text(demand::text(article, "content_html")?);
    Ok(i64::try_from(text.split_whitespace().count()).unwrap_or(i64::MAX))
}

async fn word_count(article: Value) -> Verdict {
    let counted = count_words(&article)?;
    let stated = article["word_count"].as_i64().unwrap_or(-1);
    let allowed = counted / 50 + 1;
    ensure((stated - counted).abs() <= allowed, format!("word_count about {counted}"), || stated.to_string())
}

async fn reading_time(article: Value) -> Verdict {
    let words = article["word_count"].as_i64().unwrap_or(0);
    let expected = words.div_euclid(275) + i64::from(words.rem_euclid(275) > 0);
    demand::same("reading_time_minutes", &json!(expected.max(1)), &article["reading_time_minutes"])
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

async fn safe(article: Value) -> Verdict {
    is_safe(&article)
}

fn is_safe(article: &Value) -> Verdict {
    let danger = html::danger(demand::text(article, "content_html")?);
    ensure(danger.is_none(), "safe HTML", || danger.unwrap_or_default())
}

async fn outline(article: Value) -> Verdict {
    let headings = html::headings(demand::text(&article, "content_html")?);
    let entries = article["outline"].as_array().cloned().unwrap_or_default();
    ensure(entries.len() == headings.len(), format!("{} entries, one for each heading", headings.len()), || {
        entries.len().to_string()
    })?;
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

async fn markdown(article: Value) -> Verdict {
    let mut fenced = false;
    for line in demand::text(&article, "content_markdown")?.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        ensure(!line.starts_with("# ") && line != "#", "no H1 in content_markdown", || line.to_owned())?;
        let trimmed = line.trim_start();
        let raw = trimmed.starts_with('<') && !trimmed.starts_with("<http") && trimmed.contains('>');
        ensure(!raw, "no raw HTML in content_markdown", || line.to_owned())?;
    }
    Ok(())
}

async fn json_ld(article: Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    ensure(!article["json_ld"]["@context"].is_null(), "@context in json_ld", || demand::brief(&article["json_ld"]))?;
    let types: Vec<&str> = graph.iter().filter_map(|node| node["@type"].as_str()).collect();
    ensure(types.contains(&"BlogPosting"), "a BlogPosting in @graph", || types.join(", "))?;
    let asks = article["faq"].as_array().is_some_and(|faq| !faq.is_empty());
    ensure(types.contains(&"FAQPage") == asks, "a FAQPage exactly when there are questions", || types.join(", "))
}

async fn faq(article: Value) -> Verdict {
    for entry in article["faq"].as_array().into_iter().flatten() {
        let question = demand::text(entry, "question")?;
        ensure(question.trim_end().ends_with('?'), "a question mark", || question.to_owned())?;
        demand::text(entry, "answer")?;
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
    let (_, article) = steps::written(&context, &body).await?;
    let article = demand::json(&article)?;
    is_safe(article)?;
    demand::same("topic", &body["topic"], &article["topic"])?;
    let computed = article["title"].as_str().unwrap_or_default().contains("49");
    ensure(!computed, "a title in which nothing was computed", || demand::brief(&article["title"]))
}

async fn keywords(context: Context, case: Value) -> Verdict {
    let sets = [
        json!(["chain oil", "puncture"]),
        json!(["Lock", "helmet", "rain cape", "bell"]),
        json!(["e-bike", "R\u{fc}cklicht"]),
        // As many as there may be, in a text that has room for them.
        json!([
            "saddle",
            "mudguard",
            "pedal",
            "carrier",
            "pump",
            "spoke",
            "valve",
            "handlebar",
            "reflector",
            "pannier"
        ]),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % sets.len();
    let mut body = steps::quiet_request(&context, "Choosing a bicycle for commuting");
    body["target_word_count"] = json!(if index == 3 { 600 } else { 200 });
    body["keywords"] = sets[index].clone();
    let (_, article) = steps::written(&context, &body).await?;
    let article = demand::json(&article)?;
    let letters =
        |text: &str| -> String { text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect() };
    let faq = demand::brief(&article["faq"]);
    let all = letters(&format!("{} {} {faq}", html::text(demand::text(article, "content_html")?), article["title"]));
    for keyword in sets[index].as_array().into_iter().flatten().filter_map(Value::as_str) {
        ensure(all.contains(&letters(keyword)), format!("the keyword {keyword} in the text"), || {
            "it is missing".to_owned()
        })?;
    }
    Ok(())
}
