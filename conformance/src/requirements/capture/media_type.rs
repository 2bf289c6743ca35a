//! Media types of the lead form.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps::lead_form::{never, request};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.media-type.refused",
            "A lead form without a media type, or with one that is not among the three of the document, gets 415 unsupported_media_type, and no lead is stored.",
            &[
                Sentence("The body is neither JSON nor a form."),
                Sentence("The body is not `application/json`, or has no Content-Type."),
                Sentence("The lead form takes forms, too."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Part("/paths/~1capture~1{website_id}/post/requestBody/content"),
            ],
            refused,
        )
        .needs(FORM),
    ]
}

async fn refused(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("typed");
    let body = json!({ "email": format!("{marker}@example.com") }).to_string().into_bytes();
    for media_type in ["text/plain", "application/xml", "multipart/mixed; boundary=x", ""] {
        let mut form = request(&context, "POST", &context.facts().website_id)?.bytes(media_type, body.clone());
        form.headers.retain(|(_, value)| !value.is_empty());
        let response = context.send(form).await?;
        demand::problem(&response, 415, &["unsupported_media_type"])?;
    }
    never(&context, &marker).await
}
