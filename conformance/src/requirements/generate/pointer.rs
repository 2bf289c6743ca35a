//! Pointers in errors to names that need escapes.

use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::control;
use crate::steps::send_and_discard;

/// A name that needs escapes in a JSON pointer and in a URI.
const AWKWARD: &str = "a/b~c \u{e9}";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.pointer.escaped",
            "The pointer of an error is a JSON pointer as URI fragment: ~ and / in a name are written ~0 and ~1, other special characters percent-encoded.",
            &[
                Sentence("JSON Pointer of the field in the body, as a URI fragment."),
                Standard("RFC 6901", "3"),
                Standard("RFC 6901", "6"),
            ],
            pointer,
        )
        .drawn("at the top and below", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
    ]
}

async fn pointer(context: Context, below: Value) -> Verdict {
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
