//! Keywords that were asked for are used.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, html};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
