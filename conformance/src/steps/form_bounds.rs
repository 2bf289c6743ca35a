//! Lead forms with a text, a map or a number at a bound of the document, or one beyond.

use serde_json::{Map, Value, json};

use super::draws::index_of;
use super::forms::fields;
use crate::check::Context;

/// What comes behind the marker in an e-mail address.
const DOMAIN: &str = "@example.com";
/// What an address of a page begins with.
const PAGE: &str = "https://example.com/";
/// A telephone number that can be made longer.
const PHONE: &str = "+44 20 7946 0000 ext. ";

/// A form that is right except for one `{place, length}`, `{place, number}` or `{place, without}`; it mentions `marker` as far as it can.
pub(crate) fn at_bound(marker: &str, bound: &Value) -> Value {
    let place = bound["place"].as_str().unwrap_or_default();
    let who = place.trim_matches(['/', '*']).replace('/', "-");
    let mut form = ordinary(&format!("{who}-{marker}"));
    if bound["without"].is_string() {
        // What has one required member is empty without it.
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

/// Forms that hold every `{place, length}` of `case["bounds"]` between them, as few as fit into `case["bytes"]`: whom each mentions,
/// the form, and the places that must be read back as they were sent.
pub(crate) fn packed(context: &Context, case: &Value) -> Vec<(String, Value, Vec<String>)> {
    let room = index_of(&case["bytes"]) / 4 * 3;
    let mut forms: Vec<(String, Value, Vec<String>)> = Vec::new();
    for bound in case["bounds"].as_array().into_iter().flatten() {
        let (place, length) = (bound["place"].as_str().unwrap_or_default(), index_of(&bound["length"]));
        // Who is told apart by the shortest address, and which article a made-up id is, nobody can say.
        if place == "/article_id" || (place == "/email" && length < 100) {
            continue;
        }
        if bound["number"].is_number() {
            // A number is measured by the page, and no part of the lead: that the form is taken is all that can be seen.
            let person = context.fresh("measured");
            let mut form = ordinary(&person);
            put(&mut form, place, bound["number"].clone());
            forms.push((person, form, Vec::new()));
            continue;
        }
        let held = place.trim_end_matches("/*").to_owned();
        let filled = |form: &Value, person: &str| {
            let mut form = form.clone();
            put(&mut form, place, value(place, length, person, room / 12));
            form
        };
        let found = forms
            .iter_mut()
            .find(|(person, form, places)| !places.contains(&held) && filled(form, person).to_string().len() <= room);
        if let Some((person, form, places)) = found {
            *form = filled(form, person);
            places.push(held);
            continue;
        }
        let person = context.fresh("longest");
        let form = filled(&ordinary(&person), &person);
        forms.push((person, form, vec![held]));
    }
    for (.., places) in &mut forms {
        // A number may come back in another form.
        places.retain(|place| place != "/phone");
    }
    forms
}

fn ordinary(who: &str) -> Value {
    json!({ "email": format!("{who}{DOMAIN}"), "consent": { "given": true } })
}

/// A value for `place` of that length; up to `wide` code points of a text without a form take four bytes.
fn value(place: &str, length: usize, marker: &str, wide: usize) -> Value {
    let filled = |beginning: &str, letter: &str, end: &str| {
        let missing = length.checked_sub(beginning.chars().count() + end.len());
        missing.map_or_else(|| letter.repeat(length), |missing| format!("{beginning}{}{end}", letter.repeat(missing)))
    };
    match place {
        "/fields" => fields(length, "x"),
        // The shortest has no room for anybody's name.
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

/// Puts a value at a place below the form; what is on the way there is made.
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
