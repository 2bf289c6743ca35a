//! Lead forms with a text, a map or a number at a bound of the document, or beyond it.

use serde_json::{Map, Value, json};

use super::draws::index_of;
use super::forms::fields;
use crate::check::Context;

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
