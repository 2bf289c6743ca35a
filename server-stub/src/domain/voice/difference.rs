//! Differences between two versions of a profile, by field.

use serde_json::Value;

use super::profile::BrandVoice;

/// A field that differs, with its removed and added texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path of the field, such as `vocabulary.avoid`.
    pub field: String,
    /// Removed texts.
    pub removed: Vec<String>,
    /// Added texts.
    pub added: Vec<String>,
}

impl BrandVoice {
    /// Returns true if both profiles have the same content, apart from id, version and the default mark.
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        let same = Self { id: self.id.clone(), version: self.version, is_default: self.is_default, ..other.clone() };
        *self == same
    }

    /// Returns the differences of the newer profile. A changed order of a list is not a difference.
    pub fn differences(&self, newer: &Self) -> Vec<Difference> {
        let (old, new) = (members(self), members(newer));
        let mut found = Vec::new();
        let fields = old.iter().chain(new.iter().filter(|(field, _)| !old.iter().any(|(known, _)| known == field)));
        for (field, _) in fields {
            let of = |members: &[(String, Vec<String>)]| {
                members.iter().find(|(known, _)| known == field).map(|(_, texts)| texts.clone()).unwrap_or_default()
            };
            let (mut removed, mut added) = (of(&old), of(&new));
            removed.retain(|text| match added.iter().position(|other| other == text) {
                Some(at) => {
                    added.remove(at);
                    false
                }
                None => true,
            });
            if !removed.is_empty() || !added.is_empty() {
                found.push(Difference { field: field.clone(), removed, added });
            }
        }
        found
    }
}

/// Returns the profile's fields by their paths, each with its texts. It reads the serialized form, so that no field is forgotten.
fn members(voice: &BrandVoice) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let value = serde_json::to_value(voice).expect("a profile has text keys and serializes without failing");
    if let Value::Object(members) = value {
        for (name, value) in members {
            if !matches!(name.as_str(), "id" | "version" | "is_default") {
                gather(name, value, &mut found);
            }
        }
    }
    found
}

fn gather(path: String, value: Value, found: &mut Vec<(String, Vec<String>)>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                gather(format!("{path}.{name}"), value, found);
            }
        }
        Value::Array(entries) => found.push((path, entries.iter().map(entry).collect())),
        Value::Null => {}
        value => found.push((path, vec![entry(&value)])),
    }
}

/// Returns an entry as the form shows it.
fn entry(value: &Value) -> String {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    match (value, text("from"), text("to"), text("term")) {
        (Value::String(text), ..) => text.clone(),
        (_, Some(from), Some(to), _) => format!("{from} \u{2192} {to}"),
        (_, _, _, Some(term)) if value["required"] == true => format!("{term} (required)"),
        (_, _, _, Some(term)) => term.to_owned(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::profile::{CallToAction, PreferredTerm, Replacement};
    use super::*;

    #[test]
    fn entries_texts_and_numbers_are_told_by_their_member() {
        let mut old = BrandVoice::default();
        old.vocabulary.avoid = vec!["cheap".to_owned(), "synergy".to_owned()];
        let mut new = BrandVoice { id: "voice_2".to_owned(), version: 7, is_default: false, ..old.clone() };
        assert!(old.says_the_same_as(&new) && old.differences(&new).is_empty());
        new.vocabulary.avoid = vec!["synergy".to_owned(), "weed killer".to_owned()];
        new.vocabulary.replace = vec![Replacement { from: "earth".to_owned(), to: "soil".to_owned() }];
        new.vocabulary.prefer = vec![PreferredTerm { term: "bed".to_owned(), required: true }];
        new.cta = Some(CallToAction { text: "Come by".to_owned(), url: None });
        new.tone_dimensions.humour = 5;
        assert!(!old.says_the_same_as(&new));
        let mut told: Vec<_> =
            old.differences(&new).into_iter().map(|one| (one.field, one.removed, one.added)).collect();
        told.sort();
        let row = |field: &str, removed: &[&str], added: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            (field.to_owned(), owned(removed), owned(added))
        };
        assert_eq!(
            told,
            [
                row("cta.text", &[], &["Come by"]),
                row("tone_dimensions.humour", &["3"], &["5"]),
                row("vocabulary.avoid", &["cheap"], &["weed killer"]),
                row("vocabulary.prefer", &[], &["bed (required)"]),
                row("vocabulary.replace", &[], &["earth \u{2192} soil"]),
            ]
        );
    }
}
