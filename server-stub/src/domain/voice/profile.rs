//! The Brand DNA profile as the dashboard edits it and the store keeps it; its rules are in `rules`, its bounds in `validation`.

use serde::{Deserialize, Serialize};

/// A voice profile (contract section 1.3). Members marked *checked* are measured on every article, the others advise
/// the generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrandVoice {
    /// Opaque id; empty for the built-in profile of an account that has none.
    pub id: String,
    /// 1 to 80 characters.
    pub name: String,
    /// One more at every edit; recorded on each article.
    pub version: u32,
    /// Exactly one profile of an account is the default.
    pub is_default: bool,
    /// Who reads, at most 200 characters.
    pub audience: String,
    /// 0 to 8 adjectives of at most 40 characters.
    pub tone: Vec<String>,
    /// Where the tone lies on four scales.
    pub tone_dimensions: ToneDimensions,
    /// 0 to 20 wishes of at most 200 characters.
    pub dos: Vec<String>,
    /// 0 to 20 dislikes of at most 200 characters.
    pub donts: Vec<String>,
    /// Checked: who speaks to whom.
    pub point_of_view: PointOfView,
    /// Checked: words to avoid, to replace and to use.
    pub vocabulary: Vocabulary,
    /// Checked on English text: the window of the Flesch-Kincaid grade.
    pub reading_grade: ReadingGrade,
    /// Checked on English text: 10 to 60 words.
    pub max_sentence_words: u32,
    /// Checked on English text.
    pub contractions: Contractions,
    /// Checked.
    pub emoji: EmojiUse,
    /// Checked: 0 to 20 in the whole text.
    pub max_exclamations: u32,
    /// Checked: the call to action near the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cta: Option<CallToAction>,
    /// Checked: 0 to 10 questions.
    pub faq_count: u32,
    /// Which spelling to prefer.
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

/// Four scales of tone, each 1 to 5, 3 in the middle.
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

/// Who speaks to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointOfView {
    /// "I" advise.
    FirstPersonSingular,
    /// "We" advise.
    FirstPersonPlural,
    /// "You" are addressed.
    SecondPerson,
    /// Nobody is addressed and nobody speaks.
    ThirdPerson,
    /// Not checked.
    #[default]
    Any,
}

/// Words to avoid, to replace and to use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Vocabulary {
    /// 0 to 200 terms of 1 to 60 characters that never appear.
    pub avoid: Vec<String>,
    /// 0 to 200 terms with what stands in their place.
    pub replace: Vec<Replacement>,
    /// 0 to 100 terms to use.
    pub prefer: Vec<PreferredTerm>,
}

/// A term and what to write in its place, 1 to 60 characters each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// Never appears.
    pub from: String,
    /// Appears in its place.
    pub to: String,
}

/// A term to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreferredTerm {
    /// 1 to 60 characters.
    pub term: String,
    /// Whether each article must contain it.
    #[serde(default)]
    pub required: bool,
}

/// Window of the Flesch-Kincaid grade, 1 to 18, `min` not above `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingGrade {
    /// School grade.
    pub min: u8,
    /// School grade.
    pub max: u8,
}

impl Default for ReadingGrade {
    fn default() -> Self {
        Self { min: 5, max: 12 }
    }
}

/// Whether "don't" may stand for "do not".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contractions {
    /// Either form.
    #[default]
    Allow,
    /// Only the long form.
    Avoid,
}

/// Whether pictographs may appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmojiUse {
    /// Never.
    #[default]
    None,
    /// Not checked.
    Allow,
}

/// Which spelling of English to prefer.
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
    /// Where it leads; https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}
