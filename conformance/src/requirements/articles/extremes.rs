//! Articles of requests with the longest, shortest and strangest texts that the document allows.

use serde_json::{Map, Value, json};

use super::{content, language, lengths, structured_data};
use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::texts::{escape_in, plain_texts};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum lengths of a topic, and of a value and a name in metadata, in code points.
const TOPIC: usize = 1_000;
const VALUE: usize = 500;
const NAME: usize = 40;

/// Number of topics.
const COUNT: u32 = 11;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.extremes.whole",
            "The topic may have 1 or 1000 characters, any script, line breaks, and HTML or Markdown syntax. The article still matches its schema, repeats topic and metadata, has the requested language, and agrees with every field that is derived from its text.",
            &[
                Sentence(
                    "It has 1 to 1000 code points, not counting Unicode White_Space at both ends, and no control characters except tab and line feed.",
                ),
                Sentence("The service keeps it as sent."),
                Sentence("These rules also apply to scripts without spaces between words."),
                Sentence("The metadata of the request; empty if it had none."),
                Sentence(
                    "The article's `language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.",
                ),
                Part("/components/schemas/Article"),
                Part("/components/schemas/Article/x-conformance"),
                Part("/components/schemas/ArticleSummary/x-conformance"),
                Part("/components/schemas/ArticleSummary/properties/slug/pattern"),
                Sentence("Title in plain text."),
                Sentence("A few sentences in plain text."),
                Sentence("Title for search engines, in plain text."),
                Sentence("Description for search engines, in plain text."),
                Sentence("Text of the heading in `content_html`."),
                Sentence("It has alternative text even if there is no picture yet."),
                Sentence("The question in plain text."),
                Sentence("The answer in plain text."),
                Sentence("The first node is a `BlogPosting`."),
                Sentence("A `FAQPage` follows exactly if the article has questions."),
            ],
            whole,
        )
        .needs(JOBS)
        .drawn("topics at the edge, with the longest metadata", Cases::Exactly(COUNT), |_, draw| json!(draw.index())),
    ]
}

/// Returns the topic with that number.
fn topic(number: usize) -> String {
    let filled = |text: &str| text.chars().cycle().take(TOPIC - 1).chain(['.']).collect::<String>();
    match number {
        0 => "x".to_owned(),
        1 => filled("Cycling through the rain in a long coat, "),
        2 => "\u{1f6b2}".repeat(TOPIC),
        3 => "?! \u{2026} -- / \u{2014} ???".to_owned(),
        4 => "o\u{308}\u{323}".repeat(40),
        5 => filled(
            "\u{627}\u{644}\u{62f}\u{631}\u{627}\u{62c}\u{629} \u{641}\u{64a} \u{627}\u{644}\u{645}\u{637}\u{631} ",
        ),
        6 => "<b>Tom & Jerry's</b> \"best\" tips: AT&amp;T < 5 > 3".to_owned(),
        7 => "First line of it\n\nSecond line\tof it\nThird".to_owned(),
        8 => "\u{96e8}\u{306e}\u{65e5}\u{306e}\u{81ea}\u{8ee2}\u{8eca}".to_owned(),
        9 => "# Wet *roads* [and](http://h.example) | `brakes` | _again_\n\n- two\n---".to_owned(),
        _ => format!("{} 2026", "donaudampfschiff".repeat(20)),
    }
}

async fn whole(context: Context, case: Value) -> Verdict {
    // A service may support only some languages. English is the most likely one.
    const LANGUAGES: [&str; 3] = ["en", "en-GB", "en-x-own"];
    let number = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % COUNT as usize;
    let mut body = steps::quiet_request(&context, &topic(number));
    body["language"] = json!(LANGUAGES[number % LANGUAGES.len()]);
    let metadata: Map<String, Value> =
        [("n".repeat(NAME), "\u{1f4ee}".repeat(VALUE)), ("\u{1f3f7}".repeat(NAME), "v".repeat(VALUE))]
            .map(|(name, value)| (name, json!(value)))
            .into_iter()
            .collect();
    body["metadata"] = Value::Object(metadata);
    let (_, exchange) = steps::written(&context, &body).await?;
    judge(&context, &body, demand::json(&exchange)?).await.about(&exchange)
}

async fn judge(context: &Context, body: &Value, article: &Value) -> Verdict {
    demand::schema(context, article, "Article")?;
    for field in ["topic", "website_id", "metadata"] {
        demand::same(field, &body[field], &article[field])?;
    }
    language::begins_as_requested(demand::text(body, "language")?, article)?;
    lengths::has_slug_form(demand::text(article, "slug")?)?;
    decided(content::is_safe(article))?;
    decided(content::outline(article.clone()).await)?;
    decided(lengths::word_count(article.clone()).await)?;
    decided(lengths::reading_time(article.clone()).await)?;
    decided(content::markdown(article.clone()).await)?;
    decided(content::markdown_outline(article))?;
    structured_data::json_ld(article.clone()).await?;
    structured_data::first_node(article)?;
    unescaped(demand::text(body, "topic")?, article)
}

/// Treats a part that decides nothing as passed, so that the other parts are checked.
fn decided(verdict: Verdict) -> Verdict {
    match verdict {
        Err(Halt::Inconclusive(_) | Halt::Unmet(_)) => Ok(()),
        other => other,
    }
}

/// Demands that plain text has no character references, except those in the topic.
fn unescaped(topic: &str, article: &Value) -> Verdict {
    for (place, text) in plain_texts(article) {
        let escape = escape_in(&text).filter(|escape| !topic.contains(escape));
        ensure(escape.is_none(), format!("plain text in {place}"), || text.clone())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{COUNT, TOPIC, topic};

    #[test]
    fn topics_have_at_most_the_maximum_length() {
        let lengths: Vec<usize> = (0..COUNT as usize).map(|number| topic(number).trim().chars().count()).collect();
        assert!(lengths.iter().all(|length| (1..=TOPIC).contains(length)), "{lengths:?}");
        assert_eq!(lengths.iter().filter(|length| **length == TOPIC).count(), 3, "{lengths:?}");
    }
}
