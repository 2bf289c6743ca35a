//! The languages whose prose the offline writer has and whose pronouns are known. Splitting text into words and sentences is in `language`.

/// A language in which the offline writer writes and in which the point of view of a text is checked.
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The language of a BCP 47 tag, told from its primary subtag.
    pub fn of(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?;
        Self::ALL.into_iter().find(|language| language.subtag().eq_ignore_ascii_case(primary))
    }

    /// The primary subtag.
    pub fn subtag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// What stands above the questions that an article answers; English where the language of the tag has none here.
    pub fn questions_heading(tag: &str) -> &'static str {
        match Self::of(tag) {
            Some(Self::German) => "Fragen und Antworten",
            Some(Self::French) => "Questions et r\u{e9}ponses",
            Some(Self::Spanish) => "Preguntas y respuestas",
            Some(Self::English) | None => "Questions and answers",
        }
    }

    /// Its name in English.
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
