//! Language of the text.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, markdown};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Languages with a topic in each. Texts in them rarely contain the words below.
const ORDERS: [(&str, &str); 4] = [
    ("de-CH-1996", "Fahrradbremsen im Winter einstellen"),
    ("fr-CA", "R\u{e9}gler les freins d\u{2019}un v\u{e9}lo en hiver"),
    ("es-419", "Ajustar los frenos de la bicicleta en invierno"),
    ("sw", "Kurekebisha breki za baiskeli"),
];

/// Words that make up about a third of an English text.
const ENGLISH: [&str; 24] = [
    "the", "and", "of", "to", "that", "it", "for", "with", "are", "you", "this", "from", "have", "not", "your", "what",
    "when", "which", "they", "but", "can", "is", "before", "then",
];

/// A text counts as English if more than one in this many of its words is common in English. A company's name may be English.
const ONE_OF: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.language.text",
            "An article is written in the requested language. If the service does not support it, the job fails with language_not_supported, which is not retryable. The service does not write in English instead.",
            &[
                Sentence("Language of the article: a tag that is well-formed by RFC 5646."),
                Sentence("A service may support only some languages."),
                Sentence("A job in another one fails with `language_not_supported`."),
                Sentence(
                    "The article's `language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.",
                ),
                Sentence(
                    "`content_rejected`, `voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not.",
                ),
            ],
            text,
        )
        .needs(JOBS)
        .drawn("languages", Cases::Exactly(4), |_, draw| json!(draw.index())),
    ]
}

async fn text(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let (language, topic) = ORDERS[index % ORDERS.len()];
    let mut body = steps::quiet_request(&context, topic);
    body["language"] = json!(language);
    let job_id = steps::queue(&context, &body).await?;
    let ended = steps::finished(&context, &job_id).await?;
    let job = demand::json(&ended)?;
    match (job["status"].as_str(), job["error"]["code"].as_str()) {
        (Some("completed"), _) => {}
        (Some("failed"), Some("language_not_supported")) => {
            return demand::same("retryable", &json!(false), &job["error"]["retryable"]).about(&ended);
        }
        _ => return Err(Halt::inconclusive(format!("the job ended as {}: {}", job["status"], job["error"]))),
    }
    let article = context.send(steps::get_article(demand::text(job, "article_id")?)).await?;
    demand::status(&article, 200)?;
    is_in(language, demand::json(&article)?).about(&article)
}

/// Demands that the language of the article begins with the same subtag as the requested one, in any letter case.
pub(super) fn begins_as_requested(requested: &str, article: &Value) -> Verdict {
    let language = demand::text(article, "language")?;
    let is_alike = first_subtag(language).eq_ignore_ascii_case(first_subtag(requested));
    ensure(is_alike, format!("a language that begins with {}", first_subtag(requested)), || language.to_owned())
}

fn first_subtag(language: &str) -> &str {
    language.split('-').next().unwrap_or(language)
}

fn is_in(language: &str, article: &Value) -> Verdict {
    begins_as_requested(language, article)?;
    // Names and addresses may be English.
    let text = markdown::blocks_without_links(demand::text(article, "content_markdown")?).join(" ").to_lowercase();
    let text: Vec<&str> = text.split_whitespace().filter(|word| !word.contains("://")).collect();
    let words = text.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphabetic()));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let english = words.iter().filter(|word| ENGLISH.contains(word)).count();
    ensure(english * ONE_OF <= words.len(), format!("a text in the language {language}"), || {
        format!("English: {english} of its {} words are among the most common English words", words.len())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_in;

    #[test]
    fn an_english_text_is_in_no_other_language() {
        let article = |text: &str| json!({ "language": "de", "content_markdown": text });
        let english =
            "Check the brakes before you ride. The pads are worn when they squeal, and it is time to change them.";
        let german = "Pr\u{fc}fen Sie die Bremsen vor der Fahrt. Die Bel\u{e4}ge sind verschlissen, wenn sie quietschen, und \
                      dann ist es Zeit f\u{fc}r neue. [Ask the team at Brakes & Co](https://brakes.example)";
        assert!(is_in("de", &article(english)).is_err());
        assert!(is_in("de", &article(german)).is_ok());
        assert!(is_in("DE-ch", &article(german)).is_ok() && is_in("fr", &article(german)).is_err());
        let links = "[The Best of the Best](https://the.example/and/the) ".repeat(9);
        assert!(is_in("de", &article(&format!("{german} {links}"))).is_ok());
    }
}
