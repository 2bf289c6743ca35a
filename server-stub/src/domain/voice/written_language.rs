//! The languages in which the offline writer writes and pronouns are checked. Splitting text into words and sentences is in `language`.

/// A language in which the offline writer writes and the person of a text is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WrittenLanguage {
    /// `en`
    English,
    /// `de`
    German,
    /// `fr`
    French,
    /// `es`
    Spanish,
}

impl WrittenLanguage {
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
        assert_eq!(WrittenLanguage::of("DE-at"), Some(WrittenLanguage::German));
        assert_eq!(WrittenLanguage::of("es"), Some(WrittenLanguage::Spanish));
        assert_eq!(WrittenLanguage::of("den"), None);
        assert_eq!(WrittenLanguage::of("nl-BE"), None);
    }
}
