//! The subject areas that topics belong to, each with its own words for what is seen, needed, tried and feared there. The words are in
//! `fields.prose`; which slots take them is said in `placeholder`.

use crate::domain::voice::normalized;

use super::placeholder::FIELD_SLOTS;

/// A word of a topic's own phrase says more about its area than one of a keyword.
const TOPIC_WORD_WEIGHT: usize = 3;

/// One subject area; the first of a language is the general one, for topics of no area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SubjectArea {
    pub(super) name: String,
    /// Words by which it is known, normalized.
    words: Vec<String>,
    /// Beginnings of words by which it is known, for languages with endings.
    stems: Vec<String>,
    /// For each of `FIELD_SLOTS` what it can be filled with.
    pub(super) values: Vec<Vec<String>>,
}

/// Parses `== name`, `words: …` and a line for each slot.
pub(super) fn parse_subject_areas(source: &str) -> Vec<SubjectArea> {
    let mut fields: Vec<SubjectArea> = Vec::new();
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("== ") {
            let values = vec![Vec::new(); FIELD_SLOTS.len()];
            fields.push(SubjectArea { name: name.to_owned(), words: Vec::new(), stems: Vec::new(), values });
            continue;
        }
        let (Some(field), Some((name, rest))) = (fields.last_mut(), line.split_once(": ")) else { continue };
        if name == "words" {
            let (stems, words): (Vec<&str>, Vec<&str>) = rest.split(' ').partition(|word| word.ends_with('*'));
            field.words = words.into_iter().map(str::to_owned).collect();
            field.stems = stems.into_iter().map(|stem| stem.trim_end_matches('*').to_owned()).collect();
        } else if let Some(at) = FIELD_SLOTS.iter().position(|(slot, _)| *slot == name) {
            field.values[at] = rest.split(" | ").map(str::to_owned).collect();
        }
    }
    fields
}

/// The area that most words of the topic and the keywords belong to; the general one where none does.
pub(super) fn subject_area_of<'f>(fields: &'f [SubjectArea], topic: &str, keywords: &[String]) -> &'f SubjectArea {
    let topic = normalized(topic);
    let keywords: Vec<String> = keywords.iter().map(|keyword| normalized(keyword)).collect();
    let score = |field: &SubjectArea| {
        let knows = |word: &&str| {
            field.words.iter().any(|own| own == word) || field.stems.iter().any(|stem| word.starts_with(stem.as_str()))
        };
        let own = topic.split(' ').filter(knows).count() * TOPIC_WORD_WEIGHT;
        own + keywords.iter().flat_map(|keyword| keyword.split(' ')).filter(knows).count()
    };
    let general = fields.first().expect("a language has fields, the general one first");
    // The first of equals is taken.
    let best = fields.iter().skip(1).rev().max_by_key(|field| score(field));
    best.filter(|field| score(field) > 0).unwrap_or(general)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_topic_decide_its_area() {
        let fields = parse_subject_areas(
            "== general\nsign: a | b\n\n== garden\nwords: rose gardens gart*\nsign: leaves\n\n== food\nwords: bread\nsign: smell\n",
        );
        let sign =
            |topic: &str, keyword: &str| subject_area_of(&fields, topic, &[keyword.to_owned()]).values[0][0].clone();
        assert_eq!(sign("A rose, cut", "bread"), "leaves");
        assert_eq!(sign("Gartenarbeit", ""), "leaves");
        assert_eq!(sign("Something", "fresh bread"), "smell");
        assert_eq!(sign("Something", "else"), "a");
    }
}
