//! Defaults of fields that a request leaves out.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::{self, lists, searched};

const WEBSITE: &[Capability] = &[Capability::WEBSITES, Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.defaults.website",
            "A request without auto_publish and language gets those of the website. Of the language, only the first subtag is compared.",
            &[
                Sentence("The default is the website's setting."),
                Sentence("The default is the website's language."),
                Sentence("Whether articles are published without approval."),
            ],
            website,
        )
        .needs(WEBSITE),
    ]
}

/// Returns the first subtag of a language tag, in lower case.
fn first_subtag(language: &Value) -> Option<String> {
    language.as_str()?.split('-').next().map(str::to_ascii_lowercase)
}

async fn website(context: Context, _: Value) -> Verdict {
    let website = searched::own_website(&context).await?;
    let body = json!({ "topic": "Leaving the rest to the website", "website_id": context.facts().website_id });
    let (job, article) = steps::written(&context, &body).await?;
    let entries = lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
    demand::same("auto_publish of the scheduled post", &website["auto_publish"], &entry["auto_publish"])?;
    let language = &demand::json(&article)?["language"];
    let is_same = first_subtag(language) == first_subtag(&website["language"]);
    ensure(is_same, format!("an article in the language {}", website["language"]), || language.to_string())
}
