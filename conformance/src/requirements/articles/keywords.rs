//! Use of the requested keywords.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.keywords.used",
            "The article contains each keyword of the request in its text, title or FAQ. Only letters and digits are compared, in \
            any case and in any Unicode form.",
            &[
                Sentence("Words and phrases that the article should use."),
                Sentence(
                    "The article may use them in another letter case and in another Unicode form: composed and decomposed \
                    letters are the same.",
                ),
            ],
            keywords,
        )
        .should()
        .needs(JOBS)
        .drawn("keywords", Cases::Exactly(4), |_, draw| json!(draw.index())),
        Requirement::new(
            "articles.keywords.longest",
            "The article contains a keyword of the maximum length, 80 code points, completely.",
            &[
                Sentence("Words and phrases that the article should use."),
                Part("/components/schemas/GenerateRequest/properties/keywords/items/maxLength"),
            ],
            longest,
        )
        .should()
        .needs(JOBS),
    ]
}

async fn keywords(context: Context, case: Value) -> Verdict {
    let sets = [
        json!(["chain oil", "puncture"]),
        json!(["Lock", "helmet", "rain cape", "bell"]),
        json!(["e-bike", "R\u{fc}cklicht", "Fahrradha\u{308}ndler"]),
        // The maximum number, in a text with room for them.
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
    body["language"] = json!("en");
    let (_, article) = steps::written_once(&context, &body).await?;
    let article = demand::json(&article)?;
    let all = used(article)?;
    for keyword in sets[index].as_array().into_iter().flatten().filter_map(Value::as_str) {
        ensure(all.contains(&letters(keyword)), format!("the keyword {keyword} in the text"), || {
            "it is missing".to_owned()
        })?;
    }
    Ok(())
}

/// Returns the letters and digits of a text in lower case and in NFC.
fn letters(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect()
}

/// Returns the letters and digits of every text in which a keyword may be.
fn used(article: &Value) -> Result<String, Halt> {
    let entries = article["faq"].as_array().into_iter().flatten();
    let questions = entries.flat_map(|entry| [&entry["question"], &entry["answer"]]).filter_map(Value::as_str);
    let mut texts =
        vec![html::text(demand::text(article, "content_html")?), demand::text(article, "title")?.to_owned()];
    texts.extend(questions.map(ToOwned::to_owned));
    Ok(letters(&texts.join(" ")))
}

async fn longest(context: Context, _: Value) -> Verdict {
    let keyword = "a bicycle with mudguards, a chain case, two lamps, a bell, a stand and low gears".to_owned();
    let mut body = steps::quiet_request(&context, "Choosing a bicycle for long rides");
    body["keywords"] = json!([keyword]);
    body["language"] = json!("en");
    let (_, article) = steps::written(&context, &body).await?;
    let all = used(demand::json(&article)?)?;
    ensure(all.contains(&letters(&keyword)), format!("the keyword {keyword} in the text"), || {
        "it is missing".to_owned()
    })
}
