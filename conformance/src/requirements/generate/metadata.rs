//! Names and values of metadata.

use serde_json::{Map, Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::control;
use crate::steps::send_and_discard;
use crate::strategies::Space;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.metadata.empty-name",
            "Metadata with an empty name is answered 422 with code too_short.",
            &[
                Part("/components/schemas/Metadata/x-key-length"),
                Part("/x-field-errors/too_short/2"),
                Sentence("`too_short`, `too_long`: a string."),
                Sentence("Each field has at most one entry with the same code."),
            ],
            empty_name,
        )
        .drawn("a name one too short", Cases::Exactly(1), |space, _| {
            json!("k".repeat(name_length(space, "min").saturating_sub(1)))
        }),
        Requirement::new(
            "generate.metadata.names-kept",
            "Metadata may have any names of 1 to 40 code points: the response, the job and the article repeat them.",
            &[
                Sentence("The response repeats `topic`, `website_id` and `metadata` as sent, untrimmed."),
                Sentence("The job, the article and the webhooks about them repeat the labels."),
                Part("/components/schemas/Metadata"),
            ],
            names_kept,
        )
        .drawn("the longest name", Cases::Exactly(1), |space, _| json!("\u{1f600}".repeat(name_length(space, "max"))))
        .needs(JOBS),
    ]
}

fn name_length(space: &Space, bound: &str) -> usize {
    let length = space.document().schema("Metadata")["x-key-length"][bound].as_u64().unwrap_or(1);
    usize::try_from(length).unwrap_or(1)
}

async fn empty_name(context: Context, name: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling without a word");
    body["metadata"] = json!({ name.as_str().unwrap_or_default(): "nameless" });
    let exchange = send_and_discard(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let names_it = |error: &Value| error["pointer"].as_str().is_some_and(|pointer| pointer.starts_with("#/metadata"));
    let fits = errors.iter().any(|error| error["code"] == "too_short") && errors.iter().all(names_it);
    ensure(fits, "only errors in metadata, one of them with code too_short", || {
        Value::Array(errors.clone()).to_string()
    })?;
    body["metadata"] = json!({ "a": "nameless" });
    control::accepted(&context, steps::generate(&body)).await
}

async fn names_kept(context: Context, longest: Value) -> Verdict {
    let names = ["__proto__", "constructor", "a.b", "$x", "a[0]", " ", "%20", longest.as_str().unwrap_or_default()];
    let metadata: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!(*name))).collect();
    let mut body = steps::quiet_request(&context, "Labelling with any word");
    body["metadata"] = Value::Object(metadata);
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    demand::same("metadata of the response", &body["metadata"], &demand::json(&queued)?["metadata"])?;
    let job = steps::finished(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    let job = demand::json(&job)?;
    demand::same("metadata of the job", &body["metadata"], &job["metadata"])?;
    let Some(id) = job["article_id"].as_str() else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    let article = context.send(steps::get_article(id)).await?;
    demand::same("metadata of the article", &body["metadata"], &demand::json(&article)?["metadata"])
}
