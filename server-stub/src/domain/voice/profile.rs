//! The Brand DNA profile that the dashboard edits and the store keeps. `rules` measures it; `validation` checks its bounds.

use serde::{Deserialize, Serialize};

use crate::domain::clock::Timestamp;
use crate::domain::personal::Personal;

/// A voice profile (contract section 1.3). Fields marked *checked* are measured on every article. The others advise the
/// generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrandVoice {
    /// Opaque id; empty for the built-in profile of an account that has none.
    pub id: String,
    /// 1 to 80 characters.
    pub name: String,
    /// Version, which increases by one at every edit; recorded on each article.
    pub version: u32,
    /// True for exactly one profile of an account.
    pub is_default: bool,
    /// Readers, at most 200 characters.
    pub audience: String,
    /// 0 to 8 adjectives of at most 40 characters.
    pub tone: Vec<String>,
    /// Tone on four scales.
    pub tone_dimensions: ToneDimensions,
    /// 0 to 20 things to do, of at most 200 characters.
    pub dos: Vec<String>,
    /// 0 to 20 things to avoid, of at most 200 characters.
    pub donts: Vec<String>,
    /// Checked: point of view.
    pub point_of_view: PointOfView,
    /// Checked: terms to avoid, to replace and to use.
    pub vocabulary: Vocabulary,
    /// Checked on English text: range of the Flesch-Kincaid grade.
    pub reading_grade: ReadingGrade,
    /// Checked on English text: maximum number of words of a sentence, 10 to 60.
    pub max_sentence_words: u32,
    /// Checked on English text: use of contractions.
    pub contractions: Contractions,
    /// Checked: use of pictographs.
    pub emoji: EmojiUse,
    /// Checked: maximum number of exclamation marks in the whole text, 0 to 20.
    pub max_exclamations: u32,
    /// Checked: the call to action near the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cta: Option<CallToAction>,
    /// Checked: number of questions, 0 to 10.
    pub faq_count: u32,
    /// Preferred spelling.
    pub spelling: Spelling,
    /// The "about us" sentence, at most 600 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boilerplate: Option<String>,
    /// 0 to 5 texts of at most 8000 characters that show the voice.
    pub samples: Vec<String>,
}

impl Default for BrandVoice {
    fn default() -> Self {
        Self {
            id: String::new(),
            name: "Default voice".to_owned(),
            version: 1,
            is_default: true,
            audience: String::new(),
            tone: Vec::new(),
            tone_dimensions: ToneDimensions::default(),
            dos: Vec::new(),
            donts: Vec::new(),
            point_of_view: PointOfView::default(),
            vocabulary: Vocabulary::default(),
            reading_grade: ReadingGrade::default(),
            max_sentence_words: 35,
            contractions: Contractions::default(),
            emoji: EmojiUse::default(),
            max_exclamations: 0,
            cta: None,
            faq_count: 3,
            spelling: Spelling::default(),
            boilerplate: None,
            samples: Vec::new(),
        }
    }
}

/// Tone on four scales, each from 1 to 5, with 3 in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToneDimensions {
    /// Serious (1) to funny (5).
    pub humour: u8,
    /// Casual (1) to formal (5).
    pub formality: u8,
    /// Irreverent (1) to respectful (5).
    pub respect: u8,
    /// Matter-of-fact (1) to enthusiastic (5).
    pub enthusiasm: u8,
}

impl Default for ToneDimensions {
    fn default() -> Self {
        Self { humour: 3, formality: 3, respect: 3, enthusiasm: 3 }
    }
}

/// Point of view of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointOfView {
    /// The text speaks as "I".
    FirstPersonSingular,
    /// The text speaks as "we".
    FirstPersonPlural,
    /// The text addresses "you".
    SecondPerson,
    /// The text has neither a first nor a second person.
    ThirdPerson,
    /// Not checked.
    #[default]
    Any,
}

/// Terms to avoid, to replace and to use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Vocabulary {
    /// 0 to 200 terms of 1 to 60 characters that never appear.
    pub avoid: Vec<String>,
    /// 0 to 200 terms with their replacements.
    pub replace: Vec<Replacement>,
    /// 0 to 100 terms to use.
    pub prefer: Vec<PreferredTerm>,
}

/// A term and its replacement, 1 to 60 characters each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// Term that never appears.
    pub from: String,
    /// Term that replaces it.
    pub to: String,
}

/// A term to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreferredTerm {
    /// 1 to 60 characters.
    pub term: String,
    /// True if each article must contain the term.
    #[serde(default)]
    pub required: bool,
}

/// Range of the Flesch-Kincaid grade, 1 to 18; `min` is at most `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingGrade {
    /// Lowest grade.
    pub min: u8,
    /// Highest grade.
    pub max: u8,
}

impl Default for ReadingGrade {
    fn default() -> Self {
        Self { min: 5, max: 12 }
    }
}

/// Use of contractions such as "don't" for "do not".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contractions {
    /// Both forms are allowed.
    #[default]
    Allow,
    /// Only the long form is allowed.
    Avoid,
}

/// Use of pictographs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmojiUse {
    /// Never.
    #[default]
    None,
    /// Not checked.
    Allow,
}

/// Preferred spelling of English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Spelling {
    /// American.
    #[serde(rename = "en-US")]
    American,
    /// British.
    #[serde(rename = "en-GB")]
    British,
    /// Either.
    #[default]
    #[serde(rename = "any")]
    Any,
}

/// The call to action, repeated word for word near the end of each article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallToAction {
    /// 1 to 160 characters.
    pub text: String,
    /// URL of its link; https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A saved profile.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedVoice {
    /// The profile, with its version number.
    pub profile: BrandVoice,
    /// Time at which this version was saved.
    pub saved_at: Timestamp,
    /// Author of this version, as named in the audit trail.
    pub saved_by: Personal<String>,
}
