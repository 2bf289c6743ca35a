//! Articles that are ordered at the edge of what may be asked for. What is derived from an order must hold there, too.

use serde_json::{Map, Value, json};

use super::{html, json_ld, markdown, slug, text};
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::passages::{escape_in, plain_texts};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Code points of the longest topic, value and name of metadata.
const TOPIC: usize = 1_000;
const VALUE: usize = 500;
const NAME: usize = 40;

/// How many topics there are.
const COUNT: u32 = 11;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.extremes.whole",
            "Whatever its topic is, of one character or of a thousand, in any script, with line breaks or signs of HTML and Markdown: an article keeps its schema, repeats topic, language and metadata, and all that is derived from its text agrees with it.",
            "openapi.yaml, GenerateRequest and Article, x-conformance",
            whole,
        )
        .needs(JOBS)
        .drawn("topics at the edge, with the longest metadata", Cases::Exactly(COUNT), |_, draw| json!(draw.index())),
    ]
}

/// The topic of that number.
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
    // A service need not write any other language.
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
    for member in ["topic", "website_id", "language", "metadata"] {
        demand::same(member, &body[member], &article[member])?;
    }
    slug::has_form(demand::text(article, "slug")?)?;
    html::is_safe(article)?;
    html::outline(article.clone()).await?;
    text::word_count(article.clone()).await?;
    text::reading_time(article.clone()).await?;
    markdown::markdown(article.clone()).await?;
    decided(markdown::markdown_outline(article))?;
    json_ld::json_ld(article.clone()).await?;
    json_ld::first_node(article)?;
    unescaped(demand::text(body, "topic")?, article)
}

/// What cannot be told of this article is no fault of it.
fn decided(verdict: Verdict) -> Verdict {
    match verdict {
        Err(Halt::Inconclusive(_)) => Ok(()),
        other => other,
    }
}

/// Plain text holds no character references but those that the topic brought along.
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
    fn topics_are_as_long_as_they_may_be() {
        let lengths: Vec<usize> = (0..COUNT as usize).map(|number| topic(number).trim().chars().count()).collect();
        assert!(lengths.iter().all(|length| (1..=TOPIC).contains(length)), "{lengths:?}");
        assert_eq!(lengths.iter().filter(|length| **length == TOPIC).count(), 3, "{lengths:?}");
    }
}
