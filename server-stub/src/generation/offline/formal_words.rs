//! Longer words for plain ones, used where a profile asks for a high reading grade; when that is so is decided in `sentence_renderer`.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::generation::assemble::with_case_of;

/// Plain words and what stands for them in formal English, each good in every sentence of the prose.
const PAIRS: [(&str, &str); 39] = [
    ("a good deal of", "a considerable amount of"),
    ("a great deal about", "a considerable amount about"),
    ("also", "additionally"),
    ("at once", "immediately"),
    ("cheap", "inexpensive"),
    ("dull", "uninteresting"),
    ("easily", "effortlessly"),
    ("easy", "straightforward"),
    ("fair", "reasonable"),
    ("find out", "ascertain"),
    ("for a while", "temporarily"),
    ("hard to", "difficult to"),
    ("in the end", "ultimately"),
    ("large", "substantial"),
    ("limits", "limitations"),
    ("make sure", "make certain"),
    ("many", "numerous"),
    ("mistake", "misjudgement"),
    ("mistakes", "misjudgements"),
    ("money", "financial resources"),
    ("nearly", "practically"),
    ("now and then", "occasionally"),
    ("often", "frequently"),
    ("people", "individuals"),
    ("person", "individual"),
    ("plain", "straightforward"),
    ("pleasant", "agreeable"),
    ("rarely", "infrequently"),
    ("real", "genuine"),
    ("reason", "justification"),
    ("seldom", "infrequently"),
    ("simple", "elementary"),
    ("small", "modest"),
    ("sooner or later", "eventually"),
    ("the rest", "the remainder"),
    ("trouble", "inconvenience"),
    ("useful", "advantageous"),
    ("usual", "conventional"),
    ("vague", "indefinite"),
];

static FORMAL: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| PAIRS.into_iter().collect());
static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
    let mut words: Vec<&str> = PAIRS.iter().map(|(plain, _)| *plain).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    Regex::new(&format!(r"(?i)\b(?:{})\b", words.join("|"))).expect("the pattern is valid")
});

/// Template words in formal English, except where `is_forbidden` refuses the longer word.
pub(super) fn formal(text: &str, is_forbidden: impl Fn(&str) -> bool) -> String {
    PLAIN
        .replace_all(text, |found: &regex::Captures<'_>| {
            let plain = &found[0];
            match FORMAL.get(plain.to_lowercase().as_str()) {
                Some(formal) if !is_forbidden(formal) => with_case_of(plain, formal),
                _ => plain.to_owned(),
            }
        })
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_become_formal_ones_unless_forbidden() {
        let text = "Many mistakes are easy to find out.";
        assert_eq!(formal(text, |_| false), "Numerous misjudgements are straightforward to ascertain.");
        assert_eq!(formal(text, |word| word == "numerous"), "Many misjudgements are straightforward to ascertain.");
    }
}
