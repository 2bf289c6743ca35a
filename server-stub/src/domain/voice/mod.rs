//! Brand DNA: the profile that a customer's texts must follow, and the rules that can be measured on a text. The input is a
//! profile and a text, the output is a report.

mod difference;
mod language;
mod learning;
mod manuscript;
mod marks;
mod profile;
mod rules;
mod terms;
mod validation;

pub use difference::Difference;
pub use language::{
    SupportedLanguage, is_english, is_question, question_mark, reading_grade, sentences, separates_words, words,
};
pub use learning::{MIN_WORDS as MIN_LEARNT_WORDS, Proposal, Sample, TooLittleText, learn};
pub use manuscript::{CheckInput, Manuscript, Passage, PassageKind};
pub use marks::{Mark, marks};
pub use profile::{
    BrandVoice, CallToAction, Contractions, EmojiUse, PointOfView, PreferredTerm, ReadingGrade, Replacement,
    SavedVoice, Spelling, ToneDimensions, Vocabulary,
};
pub use rules::{
    Pronouns, VoiceCheck, VoiceReport, WORD_COUNT_TOLERANCE, check, check_wording, content_words, count_exclamations,
    count_pronouns, count_pronouns_in, emoji, has_contraction, normalized,
};
pub use terms::{TermMatcher, TermReplacer};
pub use validation::ProfileViolation;
