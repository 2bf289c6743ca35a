//! Lead forms with flat names, as browsers send them. `lead_form` and `multipart` encode them.

use serde_json::{Value, json};

use crate::check::{Verdict, demand};

/// Names of a form, and the places of their values in JSON.
const FLAT: [(&str, &str); 13] = [
    ("email", "/email"),
    ("name", "/name"),
    ("company", "/company"),
    ("phone", "/phone"),
    ("message", "/message"),
    ("page_url", "/source/page_url"),
    ("referrer", "/source/referrer"),
    ("form_id", "/source/form_id"),
    ("consent_text", "/consent/text"),
    ("size", "/fields/size"),
    ("when", "/fields/when"),
    ("utm_source", "/source/utm/source"),
    ("utm_campaign", "/source/utm/campaign"),
];

/// Values of `consent` that give consent.
pub(crate) const AGREEING: [&str; 4] = ["true", "on", "1", "yes"];

/// Returns owned copies of names and values.
pub(crate) fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Returns a form with the texts of a JSON body, and with consent.
pub(crate) fn flattened(body: &Value) -> Vec<(String, String)> {
    let text = |place: &str| body.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut form: Vec<_> = FLAT.iter().map(|(name, place)| ((*name).to_owned(), text(place))).collect();
    form.extend(pairs(&[("consent", "on")]));
    form
}

/// Returns a form in which only the e-mail was filled in.
pub(crate) fn unfilled(marker: &str) -> Vec<(String, String)> {
    let mut form = pairs(&[("email", format!("{marker}@example.com").as_str())]);
    let empty = ["name", "company", "phone", "message", "article_id", "page_url", "_hp", "_elapsed", "size", "email"];
    form.extend(empty.map(|name| (name.to_owned(), String::new())));
    form
}

/// Returns a form that contains several names more than once.
pub(crate) fn repeated(marker: &str) -> Vec<(String, String)> {
    pairs(&[
        ("sizes", "6"),
        ("email", format!("{marker}@example.com").as_str()),
        ("message", "b"),
        ("sizes", ""),
        ("utm_source", "x"),
        ("sizes", "4"),
        ("message", "a"),
        ("utm_source", "y"),
        ("sizes", "6"),
    ])
}

/// Demands that the lead has every text of `body`, and its consent.
pub(crate) fn ensure_kept(lead: &Value, body: &Value) -> Verdict {
    for (_, place) in FLAT {
        let kept = lead.pointer(place).unwrap_or(&Value::Null);
        demand::same(place, body.pointer(place).unwrap_or(&Value::Null), kept)?;
    }
    demand::same("/consent/given", &json!(true), &lead["consent"]["given"])
}
