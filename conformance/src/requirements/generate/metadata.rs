//! Names and values of metadata.

use serde_json::{Map, Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::values::sent;

const JOBS: &[Capability] = &[Capability::JOBS];

const METADATA: &str = "openapi.yaml, Metadata";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.metadata.empty-name",
            "An empty name in metadata is refused with 422 too_short.",
            METADATA,
            empty_name,
        ),
        Requirement::must(
            "generate.metadata.names-kept",
            "Whatever names metadata has, code points counted, they come back in the answer, the job and the article.",
            METADATA,
            names_kept,
        )
        .needs(JOBS),
    ]
}

async fn empty_name(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling without a word");
    body["metadata"] = json!({ "": "nameless" });
    let exchange = sent(&context, steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = demand::json(&exchange)?["errors"].as_array().cloned().unwrap_or_default();
    let names_it = |error: &Value| error["pointer"].as_str().is_some_and(|pointer| pointer.starts_with("#/metadata"));
    let fits = errors.len() == 1 && errors[0]["code"] == "too_short" && names_it(&errors[0]);
    ensure(fits, "exactly one entry in errors: code too_short, in metadata", || {
        Value::Array(errors.clone()).to_string()
    })
}

async fn names_kept(context: Context, _: Value) -> Verdict {
    let emoji = "\u{1f600}".repeat(40);
    let names = ["__proto__", "constructor", "a.b", "$x", "a[0]", " ", "%20", emoji.as_str()];
    let metadata: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!(*name))).collect();
    let mut body = steps::quiet_request(&context, "Labelling with any word");
    body["metadata"] = Value::Object(metadata);
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    demand::same("metadata of the answer", &body["metadata"], &demand::json(&queued)?["metadata"])?;
    let job = steps::finished(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    let job = demand::json(&job)?;
    demand::same("metadata of the job", &body["metadata"], &job["metadata"])?;
    let Some(id) = job["article_id"].as_str() else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    let article = context.send(steps::get_article(id)).await?;
    demand::same("metadata of the article", &body["metadata"], &demand::json(&article)?["metadata"])
}
