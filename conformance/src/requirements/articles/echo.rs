//! Fields that an article repeats from its request.

use serde_json::{Value, json};

use super::language;
use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum number of labels in metadata.
const MEMBERS: usize = 16;

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
        Requirement::new(
            "articles.metadata.every-member",
            "The response to generate, the job and the article repeat all labels of metadata with 16 labels.",
            &[
                Sentence("The response repeats `topic`, `website_id` and `metadata` as sent, untrimmed."),
                Sentence("The job, the article and the webhooks about them repeat the labels."),
                Part("/x-limits/metadata_members"),
            ],
            every_member,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.metadata.own",
            "An article repeats the metadata of the request that made it, even if another request had the same topic and other metadata.",
            &[
                Sentence("The job, the article and the webhooks about them repeat the labels."),
                Sentence("The metadata of the request; empty if it had none."),
            ],
            own_metadata,
        )
        .needs(JOBS),
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

async fn every_member(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling shelves");
    body["metadata"] =
        (1..=MEMBERS).map(|number| (format!("label {number}"), json!(format!("value {number}")))).collect();
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    demand::same("metadata of the response", &body["metadata"], &demand::json(&queued)?["metadata"]).about(&queued)?;
    let (job, article) = steps::written(&context, &body).await?;
    steps::discard(&context, &queued).await?;
    demand::same("metadata of the job", &body["metadata"], &job["metadata"])?;
    demand::same("metadata of the article", &body["metadata"], &demand::json(&article)?["metadata"]).about(&article)
}

async fn own_metadata(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling drawers");
    for number in ["1", "2"] {
        body["metadata"] = json!({ "order": context.fresh(number) });
        let (_, article) = steps::written(&context, &body).await?;
        demand::same("metadata", &body["metadata"], &demand::json(&article)?["metadata"]).about(&article)?;
    }
    Ok(())
}
