//! Websites that a request may name, and the defaults of the website for fields that it leaves out.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::lists::POSTS;
use crate::steps::{self, control, lists, pipeline};

const INACTIVE: &[Capability] = &[Capability::INACTIVE_WEBSITE];

const WEBSITE: &[Capability] = &[Capability::WEBSITES, Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.website.unknown",
            "An unknown website_id is answered 422 website_not_found with pointer #/website_id.",
            &[
                Sentence("`website_id` in the body is unknown, or the key may not use it."),
                Sentence("`errors` names the field."),
                Sentence("`not_found`: no such website."),
            ],
            unknown_website,
        )
        .drawn("unknown ids", Cases::Divided(8), |_, draw| {
            let id: String = draw.value(&"[A-Za-z0-9_-]{1,128}");
            json!(format!("x{id}").chars().take(128).collect::<String>())
        }),
        Requirement::new(
            "generate.website.inactive",
            "A request for a website that is paused or archived is answered 403 website_inactive, and queues nothing.",
            &[
                Sentence("The website is paused or archived."),
                Sentence("The key lacks the scope or the website is not active."),
                Sentence("It must be active, and the key must be allowed to use it."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            inactive,
        )
        .needs(INACTIVE),
        Requirement::new(
            "generate.defaults.website",
            "A request without auto_publish and language gets those of the website. Of the language, only the first subtag is compared.",
            &[
                Sentence("The default is the website's setting."),
                Sentence("The default is the website's language."),
                Sentence("Whether articles are published without approval."),
            ],
            defaults_of_website,
        )
        .needs(WEBSITE),
    ]
}

async fn unknown_website(context: Context, id: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "A topic for an unknown website");
    body["website_id"] = id;
    let exchange = context.send(steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    let errors = &demand::json(&exchange)?["errors"];
    let is_named = errors.as_array().into_iter().flatten().any(|error| error["pointer"] == "#/website_id");
    ensure(is_named, "an error with pointer #/website_id", || demand::brief(errors))?;
    control::ordered(&context).await
}

async fn inactive(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, &context.fresh("resting"));
    body["website_id"] = json!(context.facts().inactive_website_id);
    demand::problem(&*context.send(steps::generate(&body)).await?, 403, &["website_inactive"])?;
    if context.facts().capabilities.contains(&Capability::PIPELINE) {
        let queued = lists::found(&context, POSTS, "limit=100", |post| post["topic"] == body["topic"]).await?;
        ensure(queued.is_empty(), "no scheduled post of a refused request", || demand::brief(&queued[0]))?;
    }
    control::ordered(&context).await
}

/// Returns the first subtag of a language tag, in lower case.
fn first_subtag(language: &Value) -> Option<String> {
    language.as_str()?.split('-').next().map(str::to_ascii_lowercase)
}

async fn defaults_of_website(context: Context, _: Value) -> Verdict {
    let website = lists::own_website(&context).await?;
    let body = json!({ "topic": "Leaving the rest to the website", "website_id": context.facts().website_id });
    let (job, article) = steps::written(&context, &body).await?;
    let entries = pipeline::entries_of(&context, demand::text(&job, "job_id")?).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
    demand::same("auto_publish of the scheduled post", &website["auto_publish"], &entry["auto_publish"])?;
    let language = &demand::json(&article)?["language"];
    let is_same = first_subtag(language) == first_subtag(&website["language"]);
    ensure(is_same, format!("an article in the language {}", website["language"]), || language.to_string())
}
