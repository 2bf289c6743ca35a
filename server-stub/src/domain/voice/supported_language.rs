//! Languages with offline prose and known pronouns. `language` splits text into words and sentences.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primary_subtag_decides() {
        assert_eq!(SupportedLanguage::of("DE-at"), Some(SupportedLanguage::German));
        assert_eq!(SupportedLanguage::of("es"), Some(SupportedLanguage::Spanish));
        assert_eq!(SupportedLanguage::of("den"), None);
        assert_eq!(SupportedLanguage::of("nl-BE"), None);
    }
}
