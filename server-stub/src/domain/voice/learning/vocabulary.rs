//! Terms that the texts use, and terms that they avoid.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::profile::{BrandVoice, PreferredTerm, Replacement};
use super::super::rules::content_words;
use super::super::terms::TermMatcher;
use super::corpus::Corpus;

/// Synonyms, the longer one first. Each word is in only one pair.
const PAIRS: [(&str, &str); 22] = [
    ("additional", "more"),
    ("approximately", "about"),
    ("assist", "help"),
    ("commence", "start"),
    ("demonstrate", "show"),
    ("endeavour", "try"),
    ("individuals", "people"),
    ("in order to", "to"),
    ("inquire", "ask"),
    ("kindly", "please"),
    ("locate", "find"),
    ("methodology", "method"),
    ("numerous", "many"),
    ("obtain", "get"),
    ("prior to", "before"),
    ("purchase", "buy"),
    ("regarding", "on"),
    ("remainder", "rest"),
    ("sufficient", "enough"),
    ("terminate", "end"),
    ("therefore", "so"),
    ("utilize", "use"),
];

/// Advertising clichés.
const CLICHES: [&str; 12] = [
    "best in class",
    "cutting-edge",
    "game changer",
    "groundbreaking",
    "leverage",
    "next level",
    "paradigm shift",
    "revolutionary",
    "seamless",
    "state of the art",
    "supercharge",
    "world-class",
];

/// Minimum number of uses of one word of a pair before the absence of the other is significant.
const MIN_USES: usize = 3;
/// Minimum number of words without a cliché before its absence is significant.
const MIN_WORDS_WITHOUT: usize = 1000;
/// Maximum number of proposed phrases.
const MAX_PHRASES: usize = 10;
/// Lengths of a phrase in words.
const PHRASE_WORDS: [usize; 2] = [3, 2];
/// Maximum length of a term in a profile, in characters.
const MAX_TERM_CHARS: usize = 60;

pub(super) fn vocabulary(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let mut evidence = Vec::new();
    if corpus.is_english() {
        evidence.extend(replacements(corpus, voice));
        evidence.extend(avoided(corpus, voice));
    }
    evidence.extend(phrases(corpus, voice));
    if evidence.is_empty() {
        evidence.push("No term stands out.".to_owned());
    }
    evidence
}

fn uses(corpus: &Corpus<'_>, term: &str) -> usize {
    let matcher = TermMatcher::new([term]);
    corpus.lines.iter().map(|line| matcher.places(line).len()).sum()
}

fn replacements(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let mut evidence = Vec::new();
    for (long, short) in PAIRS {
        let long_uses = uses(corpus, long);
        // The longer term may contain the shorter one.
        let short_uses = uses(corpus, short) - if TermMatcher::new([short]).matches(long) { long_uses } else { 0 };
        let (to, count, from) = match (long_uses, short_uses) {
            (0, count) if count >= MIN_USES => (short, count, long),
            (count, 0) if count >= MIN_USES => (long, count, short),
            _ => continue,
        };
        voice.vocabulary.replace.push(Replacement { from: from.to_owned(), to: to.to_owned() });
        evidence.push(format!("replace: \"{to}\" {count} times, \"{from}\" never."));
    }
    evidence
}

fn avoided(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Option<String> {
    let words = corpus.word_count;
    let unused = CLICHES.into_iter().filter(|cliche| uses(corpus, cliche) == 0);
    let unused: Vec<String> = unused.filter(|_| words >= MIN_WORDS_WITHOUT).map(str::to_owned).collect();
    voice.vocabulary.avoid = unused;
    let count = voice.vocabulary.avoid.len();
    (count > 0).then(|| format!("avoid: {count} phrases of advertising, none of them in {words} words."))
}

/// A recurring phrase, with its number of uses and its texts.
#[derive(Default)]
struct Phrase {
    count: usize,
    texts: BTreeSet<usize>,
    /// Spellings of the phrase, with the number of uses of each.
    forms: BTreeMap<String, usize>,
}

fn phrases(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let mut found: HashMap<String, Phrase> = HashMap::new();
    for (text, sentence) in &corpus.sentences {
        for part in sentence.split([',', ';', ':', '(', ')', '"', '\u{201c}', '\u{201d}', '\u{2013}', '\u{2014}']) {
            let words: Vec<&str> = part
                .split_whitespace()
                .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
                .filter(|word| !word.is_empty())
                .collect();
            for length in PHRASE_WORDS {
                for phrase in words.windows(length).filter(|phrase| is_term(phrase)) {
                    let written = phrase.join(" ");
                    let entry = found.entry(written.to_lowercase()).or_default();
                    entry.count += 1;
                    entry.texts.insert(*text);
                    *entry.forms.entry(written).or_default() += 1;
                }
            }
        }
    }
    let least_texts = corpus.samples.len().min(2);
    let mut common: Vec<(String, Phrase)> =
        found.into_iter().filter(|(_, phrase)| phrase.texts.len() >= least_texts && phrase.count >= MIN_USES).collect();
    // Sort by number of texts, then number of uses, then length, all descending.
    common.sort_by(|(one, of_one), (other, of_other)| {
        let rank = |text: &str, phrase: &Phrase| (phrase.texts.len(), phrase.count, text.len());
        rank(other, of_other).cmp(&rank(one, of_one)).then_with(|| one.cmp(other))
    });
    let mut kept: Vec<(String, Phrase)> = Vec::new();
    for (text, phrase) in common {
        let is_part = kept.iter().any(|(longer, whole)| longer.contains(&text) && whole.count * 2 >= phrase.count);
        if !is_part && kept.len() < MAX_PHRASES {
            kept.push((text, phrase));
        }
    }
    let mut evidence = Vec::new();
    for (_, phrase) in kept {
        let form = phrase.forms.iter().max_by_key(|(_, count)| **count).map(|(form, _)| form.clone());
        let form = form.expect("a phrase was found in some form");
        evidence.push(format!("prefer: \"{form}\" {} times in {} texts.", phrase.count, phrase.texts.len()));
        voice.vocabulary.prefer.push(PreferredTerm { term: form, required: false });
    }
    evidence
}

/// Returns true if the words may be a term: each word is a content word, except an inner "of".
fn is_term(phrase: &[&str]) -> bool {
    let means_something = |word: &str| word.chars().count() >= 3 && !content_words(word).is_empty();
    let is_short = phrase.iter().map(|word| word.chars().count() + 1).sum::<usize>() <= MAX_TERM_CHARS;
    let is_of_letters = phrase.iter().all(|word| word.chars().any(char::is_alphabetic));
    let inner = &phrase[1..phrase.len() - 1];
    let ends = [phrase[0], phrase[phrase.len() - 1]];
    is_short
        && is_of_letters
        && ends.iter().all(|word| means_something(word))
        && inner.iter().all(|word| *word == "of" || means_something(word))
}
