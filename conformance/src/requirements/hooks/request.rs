//! A hook is a request like any other: POST, JSON, from whom it says.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, header_fields};
use crate::inbox::HookRequest;
use crate::steps::hooks::lead_hook;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const SOURCE: &str = "service description, section 6";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.request.json-post",
            "Hooks are POST requests with a JSON body, declared as application/json.",
            SOURCE,
            json_post,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.request.authentic",
            "A receiver can tell a real hook from a forged one, by a signature, token or credentials in a header.",
            "OWASP API Security Top 10, API2:2023",
            authentic,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
    ]
}

async fn json_post(context: Context, _: Value) -> Verdict {
    is_json_post(&lead_hook(&context, "method and media type").await?.1)
}

/// It is a POST with one JSON object, and says so.
pub(super) fn is_json_post(hook: &HookRequest) -> Verdict {
    ensure(hook.method == "POST", "POST", || hook.method.clone())?;
    let media_type = hook.header("content-type").unwrap_or_default().to_owned();
    let is_json = header_fields::is_media_type(&media_type, "application/json");
    ensure(is_json, "Content-Type: application/json", || media_type)?;
    ensure(hook.json().is_some_and(|body| body.is_object()), "one JSON object", || demand::beginning(&hook.body))
}

async fn authentic(context: Context, _: Value) -> Verdict {
    const NAMES: [&str; 6] = ["signature", "authorization", "token", "hmac", "secret", "digest"];
    let (_, hook) = lead_hook(&context, "who sent this").await?;
    let has = hook.headers.keys().any(|header| NAMES.iter().any(|name| header.as_str().contains(name)));
    ensure(has, "a header with a signature, a token or credentials", || {
        hook.headers.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    })
}
