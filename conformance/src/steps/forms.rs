//! Lead forms with all fields, with unknown fields, and with as few as possible.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::check::{Context, Exchange, Halt, demand};
use crate::steps::lead_form::{awaited, send};

/// Returns a form with every field of the document except `article_id`, with characters that servers often change.
pub(crate) fn sent(marker: &str) -> Value {
    json!({
        "email": format!("{marker}@example.com"),
        "name": "Zo\u{eb} O'Neill & Co. + 1",
        "company": "100 % \u{1f956} = Bakery",
        "phone": "+442079460000",
        "message": "One; two\nthree <b>four</b> \u{416}",
        "fields": { "size": "six", "when": "to-morrow?" },
        "source": {
            "page_url": "https://example.com/page?a=1&b=2",
            "referrer": "https://example.com/",
            "form_id": "footer 1",
            "utm": { "source": "news letter", "campaign": "winter+2026" },
        },
        "consent": { "given": true, "text": "You may write to me \u{1f4ee}." },
    })
}

/// Returns `count` further fields with the same text.
pub(crate) fn fields(count: usize, text: &str) -> Value {
    (0..count).map(|number| (format!("field_{number}"), json!(text))).collect::<Map<_, _>>().into()
}

/// Sends a form with a field that the document does not know, and waits for its lead. Returns the response and the lead.
pub(crate) async fn with_unknown(
    context: &Context,
    marker: &str,
    field: &str,
    value: &Value,
) -> Result<(Arc<Exchange>, Value), Halt> {
    let mut body = json!({ "email": format!("{marker}@example.com") });
    body[field] = value.clone();
    let exchange = send(context, &body).await?;
    if exchange.status == 422 {
        return Err(Halt::inconclusive(format!("a form with a further field {field} is refused")));
    }
    demand::status(&exchange, 202)?;
    let lead = awaited(context, marker, 1).await?.remove(0);
    Ok((exchange, lead))
}

/// Returns the smallest form: a new email address.
pub(crate) fn person(context: &Context) -> Value {
    json!({ "email": format!("{}@example.com", context.fresh("origin")) })
}
