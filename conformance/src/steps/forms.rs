//! Lead forms: with all fields, with as few as possible, with unknown fields, with flat names as browsers send them, and with a value at
//! a bound of the document or beyond it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::draws::index_of;
use super::lead_form::{awaited, send};
use crate::check::{Context, Exchange, Halt, Verdict, demand};

/// Returns a form with every field of the document except `article_id`, with characters that servers often change.
pub(crate) fn sent(marker: &str) -> Value {
    json!({
        "email": format!("{marker}@example.com"),
        "name": "Zo\u{eb} O'Neill & Co. + 1",
        "company": " 100 % \u{1f956} = Bakery ",
        "phone": "+442079460000",
        "message": "One; two\r\nthree\nfour <b>five</b> \u{416} ",
        "fields": { "size": " six", "when": "to-morrow?", "sizes[]": "6", "loaves.rye": "4" },
        "source": {
            "page_url": "HTTPS://Example.com/a/../page?a=1&b=2#c",
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

/// Places of the texts of `sent` that its lead must have.
const KEPT: [&str; 13] = [
    "/email",
    "/name",
    "/company",
    "/phone",
    "/message",
    "/source/page_url",
    "/source/referrer",
    "/source/form_id",
    "/source/utm/source",
    "/source/utm/campaign",
    "/consent/text",
    "/consent/given",
    "/fields",
];

/// Values of `consent` that give consent.
pub(crate) const AGREEING: [&str; 4] = ["true", "on", "1", "yes"];

/// Returns owned copies of names and values.
pub(crate) fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Returns a JSON body as names and values of a form.
pub(crate) fn flattened(body: &Value) -> Vec<(String, String)> {
    let mut form = Vec::new();
    for (name, value) in body.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("source" | "fields", inner) => form.extend(flattened(inner)),
            ("utm", Value::Object(parameters)) => {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                form.extend(parameters.iter().map(|(name, value)| (format!("utm_{name}"), text(value))));
            }
            ("consent", consent) => {
                form.extend(consent["text"].as_str().map(|text| ("consent_text".to_owned(), text.to_owned())));
                form.extend((consent["given"] == true).then(|| ("consent".to_owned(), "on".to_owned())));
            }
            (name, Value::String(text)) => form.push((name.to_owned(), text.clone())),
            (name, other) => form.push((name.to_owned(), other.to_string())),
        }
    }
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
    for place in KEPT {
        let kept = lead.pointer(place).unwrap_or(&Value::Null);
        demand::same(place, body.pointer(place).unwrap_or(&Value::Null), kept)?;
    }
    Ok(())
}

/// End of an email address, after the marker.
const DOMAIN: &str = "@example.com";
/// Beginning of the address of a page.
const PAGE: &str = "https://example.com/";
/// Beginning of a telephone number, to which digits can be added.
const PHONE: &str = "+44 20 7946 0000 ext. ";

/// Returns a form that is valid except for one `{place, length}`, `{place, number}` or `{place, without}`. It mentions `marker` if there is
/// room for it.
pub(crate) fn at_bound(marker: &str, bound: &Value) -> Value {
    let place = bound["place"].as_str().unwrap_or_default();
    let who = place.trim_matches(['/', '*']).replace('/', "-");
    let mut form = ordinary(&format!("{who}-{marker}"));
    if bound["without"].is_string() {
        // An object with one required field is empty without it.
        put(&mut form, place, json!({}));
        return form;
    }
    if bound["number"].is_number() {
        put(&mut form, place, bound["number"].clone());
        return form;
    }
    if place == "/email" {
        form["name"] = json!(marker);
    }
    put(&mut form, place, value(place, index_of(&bound["length"]), marker, 0));
    form
}

/// Returns as few forms as possible that together have every `{place, length}` of `case["bounds"]`, each within `case["bytes"]`. With each
/// form comes its marker and the places that the lead must show unchanged.
pub(crate) fn packed(context: &Context, case: &Value) -> Vec<(String, Value, Vec<String>)> {
    let room = index_of(&case["bytes"]) / 4 * 3;
    let mut forms: Vec<(String, Value, Vec<String>)> = Vec::new();
    for bound in case["bounds"].as_array().into_iter().flatten() {
        let (place, length) = (bound["place"].as_str().unwrap_or_default(), index_of(&bound["length"]));
        // Skips the shortest addresses, because they collide, and the id of an article, because an unknown one is not kept.
        if place == "/article_id" || (place == "/email" && length < 100) {
            continue;
        }
        if bound["number"].is_number() {
            // A number is not part of the lead, so the only check is that the form is accepted.
            let marker = context.fresh("measured");
            let mut form = ordinary(&marker);
            put(&mut form, place, bound["number"].clone());
            forms.push((marker, form, Vec::new()));
            continue;
        }
        let shown = place.trim_end_matches("/*").to_owned();
        let filled = |form: &Value, marker: &str| {
            let mut form = form.clone();
            put(&mut form, place, value(place, length, marker, room / 12));
            form
        };
        let found = forms
            .iter_mut()
            .find(|(marker, form, places)| !places.contains(&shown) && filled(form, marker).to_string().len() <= room);
        if let Some((marker, form, places)) = found {
            *form = filled(form, marker);
            places.push(shown);
            continue;
        }
        let marker = context.fresh("longest");
        let form = filled(&ordinary(&marker), &marker);
        forms.push((marker, form, vec![shown]));
    }
    for (.., places) in &mut forms {
        // A lead may show a telephone number in another form.
        places.retain(|place| place != "/phone");
    }
    forms
}

fn ordinary(who: &str) -> Value {
    json!({ "email": format!("{who}{DOMAIN}"), "consent": { "given": true } })
}

/// Returns a value of that length for `place`. In a text of any form up to `wide` code points have four bytes.
fn value(place: &str, length: usize, marker: &str, wide: usize) -> Value {
    let filled = |beginning: &str, letter: &str, end: &str| {
        let missing = length.checked_sub(beginning.chars().count() + end.len());
        missing.map_or_else(|| letter.repeat(length), |missing| format!("{beginning}{}{end}", letter.repeat(missing)))
    };
    match place {
        "/fields" => fields(length, "x"),
        // The shortest address has no room for the marker.
        "/email" if length < DOMAIN.len() + 2 => json!(format!("e@{}", "e".repeat(length.saturating_sub(2)))),
        "/email" => json!(filled(marker, "e", DOMAIN)),
        "/phone" => json!(filled(PHONE, "1", "")),
        "/source/page_url" | "/source/referrer" => json!(filled(PAGE, "p", "")),
        _ => {
            let wide = length.min(wide);
            json!("\u{1f956}".repeat(wide) + &"t".repeat(length - wide))
        }
    }
}

/// Puts a value at a place in the form, and creates missing objects on the way.
fn put(form: &mut Value, place: &str, value: Value) {
    let mut at = form;
    for name in place.split('/').skip(1) {
        let name = if name == "*" { "field_0" } else { name };
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        at = &mut at[name];
    }
    *at = value;
}
