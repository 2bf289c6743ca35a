//! What an article repeats of the request that ordered it.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;

const SOURCE: &str = "openapi.yaml, get_article and Article";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.echo.what-was-sent",
            "The article repeats topic, website_id, metadata and language as they were sent.",
            SOURCE,
            echo,
        )
        .needs(JOBS)
        .drawn("languages and metadata", Cases::Exactly(4), |_, draw| json!(draw.index())),
    ]
}

async fn echo(context: Context, case: Value) -> Verdict {
    // A service need not write any other language.
    let languages = ["en", "en-GB-oxendict", "EN-gb", "en-Latn-US"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let mut body = steps::quiet_request(&context, "  Watering plants while away  ");
    body["language"] = json!(languages[index % languages.len()]);
    body["metadata"] = json!({ "Campaign": "a b", "e\u{301}": " \u{1f600} ", "none": "" });
    let (_, article) = steps::written_once(&context, &body).await?;
    let article = demand::json(&article)?;
    for member in ["topic", "website_id", "language", "metadata"] {
        demand::same(member, &body[member], &article[member])?;
    }
    Ok(())
}
