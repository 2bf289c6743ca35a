//! Fields that an article repeats from its request.

use serde_json::{Value, json};

use super::language;
use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.echo.what-was-sent",
            "The article repeats topic, website_id and metadata as sent. Its language begins with the same subtag as the requested one, in any letter case.",
            &[
                Sentence("The topic as sent."),
                Sentence("Website of the article."),
                Sentence("The metadata of the request; empty if it had none."),
                Sentence("The service neither trims nor searches them."),
                Sentence(
                    "The article's `language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.",
                ),
            ],
            echo,
        )
        .needs(JOBS)
        .drawn("languages and metadata", Cases::Exactly(4), |_, draw| json!(draw.index())),
    ]
}

async fn echo(context: Context, case: Value) -> Verdict {
    // A service may support only some languages. English is the most likely one.
    let languages = ["en", "en-GB-oxendict", "EN-gb", "en-Latn-US"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let mut body = steps::quiet_request(&context, "  Watering plants while away  ");
    body["language"] = json!(languages[index % languages.len()]);
    body["metadata"] = json!({ "Campaign": "a b", "e\u{301}": " \u{1f600} ", "none": "" });
    let (_, article) = steps::written_once(&context, &body).await?;
    let article = demand::json(&article)?;
    for field in ["topic", "website_id", "metadata"] {
        demand::same(field, &body[field], &article[field])?;
    }
    language::begins_as_requested(demand::text(&body, "language")?, article)
}
