//! The request of a webhook: POST with JSON, and with a proof of its origin.

use serde_json::Value;

use crate::check::Source::{Fact, Part, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, header_fields};
use crate::inbox::HookRequest;
use crate::spec::Profile;
use crate::steps::hooks::lead_hook;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.request.json-post",
            "A webhook about a lead is a POST request with a JSON body and the Content-Type application/json. In core the \
            type may also end in +json.",
            &[
                Fact("6"),
                Part("/x-webhooks/lead.captured/post/requestBody/content/application~1json"),
                Standard("Standard Webhooks 1.0.0", "Webhook headers"),
            ],
            json_post,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.request.authentic",
            "A receiver can distinguish a real webhook from a forged one, by a signature, token or credentials in a \
            header.",
            &[
                Fact("6"),
                Part("/components/parameters/WebhookSignature"),
                Standard("Standard Webhooks 1.0.0", "Verifying webhook authenticity"),
            ],
            authentic,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
    ]
}

async fn json_post(context: Context, _: Value) -> Verdict {
    is_json_post(&context, &lead_hook(&context, "method and media type").await?.1)
}

/// Demands a POST with one JSON object and the matching Content-Type. In core any JSON value and any type for JSON will do.
pub(super) fn is_json_post(context: &Context, hook: &HookRequest) -> Verdict {
    ensure(hook.method == "POST", "POST", || hook.method.clone())?;
    let is_core = context.document().profile() == Profile::Core;
    let media_type = hook.header("content-type").unwrap_or_default().to_owned();
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json =
        header_fields::is_media_type(&media_type, "application/json") || is_core && essence.ends_with("+json");
    ensure(is_json, "Content-Type: application/json", || media_type)?;
    ensure(hook.json().is_some_and(|body| is_core || body.is_object()), "one JSON object", || {
        demand::beginning(&hook.body)
    })
}

async fn authentic(context: Context, _: Value) -> Verdict {
    const NAMES: [&str; 9] = ["sig", "auth", "token", "hmac", "secret", "digest", "key", "jwt", "sha"];
    let (_, hook) = lead_hook(&context, "who sent this").await?;
    let has = hook.headers.keys().any(|header| NAMES.iter().any(|name| header.as_str().contains(name)));
    ensure(has, "a header with a signature, a token or credentials", || {
        hook.headers.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    })
}
