//! Languages with offline prose and known pronouns, and the words, sentences and reading grade of texts. `rules` contains the
//! requirements of a profile.

/// Maximum number of syllables of an English word. Longer runs of letters are not words.
const MAX_SYLLABLES: usize = 12;

/// Marks at the end of a question in all scripts that have their own.
const QUESTION_MARKS: [char; 8] =
    ['?', '\u{ff1f}', '\u{61f}', '\u{37e}', '\u{1367}', '\u{2047}', '\u{2048}', '\u{2049}'];
/// Languages with another question mark than `?`.
const OTHER_QUESTION_MARKS: [(&[&str], char); 4] = [
    (&["ja", "zh", "yue"], '\u{ff1f}'),
    (&["ar", "fa", "ur", "ps"], '\u{61f}'),
    (&["el"], '\u{37e}'),
    (&["am", "ti"], '\u{1367}'),
];
/// Languages without spaces between words. Nearly every letter of them counts as a word.
const WITHOUT_SPACES: [&str; 9] = ["ja", "zh", "yue", "th", "lo", "km", "my", "bo", "dz"];

/// A language that the offline writer supports, and for which the point of view of a text is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SupportedLanguage {
    /// `en`
    English,
    /// `de`
    German,
    /// `fr`
    French,
    /// `es`
    Spanish,
}

impl SupportedLanguage {
    /// All languages.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// Returns the language of a BCP 47 tag, by its primary subtag.
    pub fn of(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?;
        Self::ALL.into_iter().find(|language| language.subtag().eq_ignore_ascii_case(primary))
    }

    /// Returns the primary subtag.
    pub fn subtag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// Returns the heading of an article's questions; in English if the language of the tag is not supported.
    pub fn questions_heading(tag: &str) -> &'static str {
        match Self::of(tag) {
            Some(Self::German) => "Fragen und Antworten",
            Some(Self::French) => "Questions et r\u{e9}ponses",
            Some(Self::Spanish) => "Preguntas y respuestas",
            Some(Self::English) | None => "Questions and answers",
        }
    }

    /// Returns the name in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
            Self::French => "French",
            Self::Spanish => "Spanish",
        }
    }
}

fn primary_subtag(language: &str) -> String {
    language.split('-').next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns true if a text ends with a question mark of any script.
pub fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(QUESTION_MARKS)
}

/// Returns the question mark of a language.
pub fn question_mark(language: &str) -> char {
    let primary = primary_subtag(language);
    OTHER_QUESTION_MARKS
        .iter()
        .find(|(languages, _)| languages.contains(&primary.as_str()))
        .map_or('?', |(_, mark)| *mark)
}

/// Returns true if the language separates words by spaces.
pub fn separates_words(language: &str) -> bool {
    !WITHOUT_SPACES.contains(&primary_subtag(language).as_str())
}

/// Returns true if the language is English, so that the metric rules apply: the primary subtag is `en`.
pub fn is_english(language: &str) -> bool {
    primary_subtag(language) == "en"
}

/// Returns the runs of non-white-space that contain a letter or a digit.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric))
}

/// Returns the sentences of one block of text: split after `.`, `!`, `?` or `…` before white space, and after `。！？` anywhere.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, character) in text.char_indices() {
        let closes = matches!(character, '"' | '\'' | ')' | ']' | '\u{201d}' | '\u{2019}');
        if ended && character.is_whitespace() {
            found.push(&text[start..at]);
            start = at;
        }
        match character {
            '。' | '！' | '？' => {
                let end = at + character.len_utf8();
                found.push(&text[start..end]);
                start = end;
                ended = false;
            }
            '.' | '!' | '?' | '…' => ended = true,
            _ if closes && ended => {}
            _ => ended = false,
        }
    }
    found.push(&text[start..]);
    found.retain(|sentence| words(sentence).next().is_some());
    found
}

/// Returns the number of syllables of an English word: groups of vowels, minus a silent ending; at least 1.
fn syllables(word: &str) -> usize {
    let letters: Vec<u8> =
        word.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect();
    let is_vowel = |at: usize| matches!(letters[at], b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let length = letters.len();
    let groups = (0..length).filter(|&at| is_vowel(at) && (at == 0 || !is_vowel(at - 1))).count();
    if length < 4 {
        return groups.max(1);
    }
    let spoken_le = letters.ends_with(b"le") && !is_vowel(length - 3);
    let silent_e = letters.ends_with(b"e") && !is_vowel(length - 2) && !spoken_le;
    let silent_ed =
        letters.ends_with(b"ed") && !is_vowel(length - 3) && !matches!(letters[length - 3], b't' | b'd' | b'l');
    let hissing = matches!(letters[length - 3], b's' | b'x' | b'z' | b'c' | b'g' | b'h');
    let silent_es = letters.ends_with(b"es") && !is_vowel(length - 3) && !hissing && letters[length - 3] != b'l';
    (groups - usize::from(silent_e || silent_ed || silent_es)).clamp(1, MAX_SYLLABLES)
}

/// Returns the Flesch-Kincaid grade of English texts together: 0.39 · words/sentences + 11.8 · syllables/words − 15.59. `None` if they
/// have fewer than `min_words` words, or no word.
#[expect(clippy::cast_precision_loss, reason = "counts of an article's words are far below 2^52")]
pub fn reading_grade<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, min_words: usize) -> Option<f64> {
    let (mut word_total, mut sentence_total, mut syllable_total) = (0, 0, 0);
    for text in texts {
        let text = text.as_ref();
        sentence_total += sentences(text).len();
        word_total += words(text).count();
        syllable_total += words(text).map(syllables).sum::<usize>();
    }
    if word_total < min_words.max(1) {
        return None;
    }
    let (words, sentences, syllables) = (word_total as f64, sentence_total as f64, syllable_total as f64);
    Some(0.39 * words / sentences + 11.8 * syllables / words - 15.59)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_of_common_words_are_counted_as_spoken() {
        for (word, spoken) in [
            ("the", 1),
            ("table", 2),
            ("make", 1),
            ("makes", 1),
            ("changes", 2),
            ("needed", 2),
            ("asked", 1),
            ("people", 2),
            ("idea", 2),
            ("decision", 3),
            ("maintenance", 3),
            ("tree", 1),
            ("rhythm", 1),
            ("123", 1),
        ] {
            assert_eq!(syllables(word), spoken, "{word}");
        }
        assert_eq!(syllables(&"ab".repeat(500)), MAX_SYLLABLES);
    }

    #[test]
    fn sentences_end_at_marks_followed_by_white_space() {
        assert_eq!(sentences("Use Node.js 2.0. It \"works.\" Does it?").len(), 3);
        assert_eq!(sentences("これは文です。次の文です。").len(), 2);
        assert!(sentences(" ... ").is_empty());
    }

    #[test]
    fn questions_end_with_the_mark_of_their_language() {
        for language in ["ja-JP", "ZH", "ar", "el", "am", "en", "de"] {
            assert!(is_question(&format!("a{} ", question_mark(language))), "{language}");
        }
        assert_eq!((question_mark("ja-JP"), question_mark("fr")), ('\u{ff1f}', '?'));
        assert!(separates_words("ko") && !separates_words("zh-Hant-TW"));
    }

    #[test]
    fn only_the_primary_subtag_decides_whether_a_text_is_english() {
        assert!(is_english("EN-gb") && is_english("en"));
        assert!(!is_english("enm") && !is_english("de"));
    }

    #[test]
    fn the_primary_subtag_decides() {
        assert_eq!(SupportedLanguage::of("DE-at"), Some(SupportedLanguage::German));
        assert_eq!(SupportedLanguage::of("es"), Some(SupportedLanguage::Spanish));
        assert_eq!(SupportedLanguage::of("den"), None);
        assert_eq!(SupportedLanguage::of("nl-BE"), None);
    }
}
