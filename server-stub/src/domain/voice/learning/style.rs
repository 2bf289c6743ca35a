//! Contractions, pictographs, exclamation marks and spelling.

use super::super::manuscript::Manuscript;
use super::super::profile::{BrandVoice, Contractions, EmojiUse, Spelling};
use super::super::rules::{CONTRACTION, PICTOGRAPH, count_exclamations};
use super::corpus::Corpus;

/// Words whose British and American spellings differ.
const SPELLINGS: [(&str, &str); 16] = [
    ("colour", "color"),
    ("colours", "colors"),
    ("favourite", "favorite"),
    ("flavour", "flavor"),
    ("behaviour", "behavior"),
    ("neighbour", "neighbor"),
    ("centre", "center"),
    ("metre", "meter"),
    ("grey", "gray"),
    ("organise", "organize"),
    ("realise", "realize"),
    ("recognise", "recognize"),
    ("catalogue", "catalog"),
    ("travelling", "traveling"),
    ("aluminium", "aluminum"),
    ("tyre", "tire"),
];

pub(super) fn contractions(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    if !corpus.is_english() {
        return vec!["Not learnt: the rule knows English contractions.".to_owned()];
    }
    let found = contraction_list(corpus);
    voice.contractions = if found.is_empty() { Contractions::Avoid } else { Contractions::Allow };
    vec![match found.first() {
        None => format!("None in {} words.", corpus.word_count),
        Some(example) => format!("{} in {} words, such as \"{example}\".", found.len(), corpus.word_count),
    }]
}

/// Returns all contractions of the texts, in order.
pub(super) fn contraction_list(corpus: &Corpus<'_>) -> Vec<String> {
    let found = corpus.lines.iter().flat_map(|line| CONTRACTION.find_iter(line));
    found.map(|found| found.as_str().to_owned()).collect()
}

pub(super) fn emoji(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let count = emoji_count(corpus);
    voice.emoji = if count == 0 { EmojiUse::None } else { EmojiUse::Allow };
    vec![format!("{count} in {} texts.", corpus.samples.len())]
}

pub(super) fn emoji_count(corpus: &Corpus<'_>) -> usize {
    corpus.manuscripts().flat_map(Manuscript::lines).map(|line| PICTOGRAPH.find_iter(line).count()).sum()
}

pub(super) fn max_exclamations(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let most = exclamations_by_text(corpus).into_iter().max().unwrap_or(0);
    voice.max_exclamations = u32::try_from(most.min(20)).expect("at most 20");
    vec![format!("The text with the most has {most}.")]
}

pub(super) fn exclamations_by_text(corpus: &Corpus<'_>) -> Vec<usize> {
    corpus.manuscripts().map(|text| text.lines().map(count_exclamations).sum()).collect()
}

pub(super) fn spelling(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let (mut british, mut american) = (Vec::new(), Vec::new());
    for line in &corpus.lines {
        for word in line.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase) {
            for (in_britain, in_america) in SPELLINGS {
                british.extend(Some(in_britain).filter(|spelling| *spelling == word));
                american.extend(Some(in_america).filter(|spelling| *spelling == word));
            }
        }
    }
    let (spelling, seen) = match (british.first(), american.first()) {
        (Some(word), None) => (Spelling::British, format!("\"{word}\" and no American form")),
        (None, Some(word)) => (Spelling::American, format!("\"{word}\" and no British form")),
        (None, None) => (Spelling::Any, "no word that differs".to_owned()),
        (Some(one), Some(other)) => (Spelling::Any, format!("both \"{one}\" and \"{other}\"")),
    };
    voice.spelling = spelling;
    vec![format!("{} words that differ: {seen}.", british.len() + american.len())]
}
