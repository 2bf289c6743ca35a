//! Keywords that were asked for are used.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.keywords.used",
            "The article contains each keyword of the request, in its text, title or FAQ; only letters and digits are compared.",
            "openapi.yaml, GenerateRequest keywords",
            keywords,
        )
        .should()
        .needs(JOBS)
        .drawn("keywords", Cases::Exactly(4), |_, draw| json!(draw.index())),
        Requirement::must(
            "articles.keywords.longest",
            "A keyword of 80 code points, the longest there may be, is used whole.",
            "openapi.yaml, GenerateRequest keywords",
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

/// Letters and digits of a text, in small letters.
fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Those of everything in which a keyword may stand.
fn used(article: &Value) -> Result<String, Halt> {
    let faq = demand::brief(&article["faq"]);
    Ok(letters(&format!("{} {} {faq}", html::text(demand::text(article, "content_html")?), article["title"])))
}

async fn longest(context: Context, _: Value) -> Verdict {
    let keyword = "a bicycle with mudguards, a chain case, two lamps, a bell, a stand and low gears".to_owned();
    let mut body = steps::quiet_request(&context, "Choosing a bicycle for long rides");
    body["keywords"] = json!([keyword]);
    let (_, article) = steps::written(&context, &body).await?;
    let all = used(demand::json(&article)?)?;
    ensure(all.contains(&letters(&keyword)), format!("the keyword {keyword} in the text"), || {
        "it is missing".to_owned()
    })
}
