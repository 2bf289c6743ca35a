//! Names and values of metadata, and pointers to names that need escapes.

use serde_json::{Map, Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::{self, control, send_and_discard};
use crate::strategies::Space;

const JOBS: &[Capability] = &[Capability::JOBS];

/// A name that needs escapes in a JSON pointer and in a URI.
const AWKWARD: &str = "a/b~c \u{e9}";

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
        Requirement::new(
            "generate.pointer.escaped",
            "The pointer of an error is a JSON pointer as URI fragment: ~ and / in a name are written ~0 and ~1, other special characters percent-encoded.",
            &[
                Sentence("JSON Pointer of the field in the body, as a URI fragment."),
                Standard("RFC 6901", "3"),
                Standard("RFC 6901", "6"),
            ],
            escaped_pointer,
        )
        .drawn("at the top and below", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
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

async fn escaped_pointer(context: Context, below: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Pointing at a name");
    let (request, wanted, code) = if below == 1 {
        body["metadata"] = json!({ AWKWARD: 7 });
        (steps::generate(&body), "/metadata/a~1b~0c \u{e9}", "invalid_format")
    } else {
        body[AWKWARD] = json!("unknown");
        let request = steps::generate(&body).header("prefer", "handling=strict");
        (request, "/a~1b~0c \u{e9}", "unknown_field")
    };
    let exchange = send_and_discard(&context, request).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    let errors = &demand::json(&exchange)?["errors"];
    let error = errors.as_array().into_iter().flatten().find(|error| error["code"] == code);
    let error = error.ok_or_else(|| Halt::fail(format!("an error with code {code}"), demand::brief(errors)))?;
    let seen = error["pointer"].as_str().unwrap_or_default();
    let is_plain = seen.bytes().all(|byte| byte.is_ascii_graphic());
    let fragment = seen.strip_prefix('#').map(decoded);
    ensure(is_plain && fragment.as_deref() == Some(wanted), format!("#{wanted}, percent-encoded"), || seen.to_owned())?;
    control::ordered(&context).await
}

/// Decodes the percent-encoding of a URI fragment.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, more @ ..] = rest {
        let escaped = more.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn fragments_are_decoded() {
        assert_eq!(super::decoded("/a~1b~0c%20%C3%A9%"), "/a~1b~0c \u{e9}%");
    }
}
