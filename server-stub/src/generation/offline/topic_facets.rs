//! Parts of an English noun phrase that sentences can take up: what it is about, and under what circumstances. The phrase as a whole is
//! read in `topic_forms`.

use super::topic_words::is_listed;

/// Words that begin a circumstance: a time, a place, a manner, a person.
const SETTING_WORDS: &str = " for in at on with without through during after before under ";
/// Words that end what a phrase is about.
const BOUNDARIES: &str = " for in at on with without through during after before under of to from as than versus that who which and or by \
    between into about over when while if alive not no ";
/// Beginnings of phrases that are no plain noun phrases.
const OPAQUE: [&str; 5] = ["the question", "the way ", "this subject", "the choice", "how to"];
const MAX_SETTING_WORDS: usize = 6;
/// The shortest word that can be what a phrase is about.
const MIN_OBJECT_CHARS: usize = 3;

/// Under what circumstances, or for whom: "in spring", "for small cafés".
pub(super) fn setting_of(noun: &str) -> Option<String> {
    let words: Vec<&str> = noun.split(' ').collect();
    if is_opaque(noun) {
        return None;
    }
    let at = (1..words.len()).find(|&at| is_listed(SETTING_WORDS, words[at]))?;
    let setting = &words[at..];
    (2..=MAX_SETTING_WORDS).contains(&setting.len()).then(|| setting.join(" "))
}

/// What an action is done to ("pruning old roses in spring": "old roses"), or the head of the phrase. It stands in object position only,
/// because its number is not known.
pub(super) fn object_of(noun: &str) -> Option<String> {
    if is_opaque(noun) {
        return None;
    }
    let mut words: Vec<&str> = noun.split(' ').collect();
    if let Some(at) = words.iter().position(|&word| word == "of").filter(|_| words[0] == "the") {
        words.drain(..=at);
    }
    if words.len() > 1 && words[0].len() > 4 && words[0].ends_with("ing") {
        words.remove(0);
    }
    let end = words.iter().position(|word| is_listed(BOUNDARIES, &word.to_lowercase())).unwrap_or(words.len());
    words.truncate(end);
    match words.first().copied() {
        Some("a" | "an") => words[0] = "the",
        Some("the") if words.get(1) == Some(&"best") => {
            words.drain(..2);
        }
        _ => {}
    }
    let last = words.last()?;
    let says = last.chars().count() >= MIN_OBJECT_CHARS && last.chars().all(char::is_alphanumeric);
    (says && *last != "the").then(|| words.join(" "))
}

fn is_opaque(noun: &str) -> bool {
    noun.contains(['\u{201c}', '"', ',']) || OPAQUE.iter().any(|start| noun.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_taken_apart() {
        for (noun, object, setting) in [
            ("pruning old roses in spring", Some("old roses"), Some("in spring")),
            ("keeping a rye starter alive through winter", Some("the rye starter"), Some("through winter")),
            ("training for a marathon", None, Some("for a marathon")),
            ("the best running shoes for flat feet", Some("running shoes"), Some("for flat feet")),
            ("the benefits of strength training after fifty", Some("strength training"), Some("after fifty")),
            ("Kubernetes", Some("Kubernetes"), None),
            ("the question of when to prune roses in spring", None, None),
            ("saying no at work", None, Some("at work")),
        ] {
            assert_eq!(object_of(noun).as_deref(), object, "{noun}");
            assert_eq!(setting_of(noun).as_deref(), setting, "{noun}");
        }
    }
}
