//! Redirects that rewrite a POST into a GET.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict};
use crate::steps::redirects::are_not_followed;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.redirect.not-rewritten",
            "A redirect with 301 or 303 is not followed, with GET as little as with POST.",
            "openapi.yaml, HookRefused: a redirect is not followed; Standard Webhooks 1.0.0, Redirects",
            not_rewritten,
        )
        .needs(LEAD)
        .background(),
    ]
}

async fn not_rewritten(context: Context, _: Value) -> Verdict {
    are_not_followed(&context, &[301, 303]).await
}
