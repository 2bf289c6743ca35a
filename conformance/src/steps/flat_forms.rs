//! Lead forms with flat names, as browsers send them. How they are encoded is in `lead_form` and `multipart`.

use serde_json::Value;

/// How a form calls what JSON nests.
pub(crate) const FLAT: [(&str, &str); 13] = [
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

/// The values of `consent` that agree.
pub(crate) const AGREEING: [&str; 4] = ["true", "on", "1", "yes"];

/// Names with values, owned.
pub(crate) fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A form with the texts of a JSON body that agrees.
pub(crate) fn flattened(body: &Value) -> Vec<(String, String)> {
    let text = |place: &str| body.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut form: Vec<_> = FLAT.iter().map(|(name, place)| ((*name).to_owned(), text(place))).collect();
    form.extend(pairs(&[("consent", "on")]));
    form
}

/// A form of which nothing but the e-mail was filled in.
pub(crate) fn unfilled(marker: &str) -> Vec<(String, String)> {
    let mut form = pairs(&[("email", format!("{marker}@example.com").as_str())]);
    let empty = ["name", "company", "phone", "message", "article_id", "page_url", "_hp", "_elapsed", "size", "email"];
    form.extend(empty.map(|name| (name.to_owned(), String::new())));
    form
}

/// A form that has several names more than once.
pub(crate) fn joined(marker: &str) -> Vec<(String, String)> {
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
