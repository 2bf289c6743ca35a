//! The media type of a request.

use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;
use crate::steps::draws::index_of;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.media-type.charset",
            "application/json is accepted with and without charset=utf-8, in any letter case, with quotes and with spaces.",
            &[
                Sentence("A charset parameter is allowed, a `Content-Encoding` is not."),
                Sentence("JSON is UTF-8; a `charset` parameter, if any, is `utf-8`."),
                Standard("RFC 9110", "8.3.1"),
            ],
            charset,
        )
        .drawn("spellings of the media type", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "generate.media-type.required",
            "A body whose Content-Type is not application/json is answered 415 unsupported_media_type.",
            &[
                Sentence("The body is not `application/json`, or has no Content-Type."),
                Sentence("The body is not JSON."),
                Standard("RFC 9110", "15.5.16"),
            ],
            media_type,
        )
        .drawn("other media types and none", Cases::Exactly(8), |_, draw| json!(draw.index())),
    ]
}

async fn charset(context: Context, case: Value) -> Verdict {
    let spellings = [
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "application/json; charset=\"utf-8\"",
        "application/json ; charset=utf-8",
    ];
    let body = steps::quiet_request(&context, "Sharpening kitchen knives");
    let media_type = spellings[index_of(&case) % spellings.len()];
    let mut request = steps::generate(&body);
    request.headers = vec![("content-type".to_owned(), media_type.to_owned())];
    let exchange = context.send(request).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn media_type(context: Context, case: Value) -> Verdict {
    let types = [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("text/json"),
        Some("application/jsonp"),
        Some("multipart/form-data; boundary=x"),
        Some("application/xml"),
        Some("json"),
    ];
    let mut request = steps::generate(&steps::quiet_request(&context, "Wrong media type"));
    request.headers.clear();
    if let Some(media_type) = types[index_of(&case) % types.len()] {
        request = request.header("content-type", media_type);
    }
    let exchange = context.send(request).await?;
    demand::problem(&exchange, 415, &["unsupported_media_type"])?;
    control::ordered(&context).await
}
