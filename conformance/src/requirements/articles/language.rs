//! The text is in the language that its tag names.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Languages with a topic in each. No text in them has the words below.
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

/// A text is English where more than one word of so many is one of those. The name of a company or its call to action may be English.
const ONE_OF: usize = 8;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.language.text",
            "An article is written in the language that was ordered. A job in a language that the service does not write fails with language_not_supported; it is not written in English instead.",
            "openapi.yaml, GenerateRequest language and JobErrorCode",
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

fn is_in(language: &str, article: &Value) -> Verdict {
    demand::same("language", &json!(language), &article["language"])?;
    let text = demand::text(article, "content_markdown")?.to_lowercase();
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let english = words.iter().filter(|word| ENGLISH.contains(word)).count();
    ensure(english * ONE_OF <= words.len(), format!("a text in the language {language}"), || {
        format!("English: {english} of its {} words are the commonest ones of that language", words.len())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_in;

    #[test]
    fn an_english_text_is_no_other() {
        let article = |text: &str| json!({ "language": "de", "content_markdown": text });
        let english =
            "Check the brakes before you ride. The pads are worn when they squeal, and it is time to change them.";
        let german = "Pr\u{fc}fen Sie die Bremsen vor der Fahrt. Die Bel\u{e4}ge sind verschlissen, wenn sie quietschen, und \
                      dann ist es Zeit f\u{fc}r neue. [Ask the team at Brakes & Co](https://brakes.example)";
        assert!(is_in("de", &article(english)).is_err());
        assert!(is_in("de", &article(german)).is_ok());
        assert!(is_in("fr", &article(german)).is_err());
    }
}
