//! Labels of profile fields and rules.

/// Form field, the profile field that it edits, and its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) field: &'static str,
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

macro_rules! labels {
    ($($field:literal, $path:literal, $text:literal;)*) => {
        /// Fields in the order of the form.
        pub(super) const LABELS: &[Label] = &[$(Label { field: $field, path: $path, text: $text }),*];
    };
}

labels! {
    "name", "name", "Name";
    "audience", "audience", "Audience";
    "tone", "tone", "Tone words";
    "humour", "tone_dimensions.humour", "Humour";
    "manner", "tone_dimensions.formality", "Formality";
    "respect", "tone_dimensions.respect", "Respect";
    "enthusiasm", "tone_dimensions.enthusiasm", "Enthusiasm";
    "point_of_view", "point_of_view", "Point of view";
    "spelling", "spelling", "Spelling";
    "grade_min", "reading_grade.min", "Lowest reading grade";
    "grade_max", "reading_grade.max", "Highest reading grade";
    "max_sentence_words", "max_sentence_words", "Longest sentence";
    "max_exclamations", "max_exclamations", "Exclamation marks";
    "contractions", "contractions", "Contractions";
    "emoji", "emoji", "Emoji";
    "avoid", "vocabulary.avoid", "Words to avoid";
    "replace", "vocabulary.replace", "Words to replace";
    "required", "vocabulary.prefer", "Words that must appear";
    "prefer", "vocabulary.prefer", "Words to prefer";
    "cta_text", "cta.text", "Call to action";
    "cta_url", "cta.url", "Link of the call to action";
    "faq_count", "faq_count", "Questions and answers";
    "boilerplate", "boilerplate", "About us";
    "dos", "dos", "Do";
    "donts", "donts", "Do not";
    "sample_1", "samples", "Samples";
    "sample_2", "samples", "Samples";
    "sample_3", "samples", "Samples";
    "sample_4", "samples", "Samples";
    "sample_5", "samples", "Samples";
}

/// Returns the position of a profile field in the form, and its label. `vocabulary.prefer` is one field in two parts of the form.
pub(super) fn of_path(path: &str) -> (usize, &str) {
    if path == "vocabulary.prefer" {
        return (17, "Words to use");
    }
    let found = LABELS.iter().enumerate().find(|(_, label)| label.path == path);
    found.map_or((LABELS.len(), path), |(at, label)| (at, label.text))
}

/// Returns the label of a form field.
pub(super) fn of_field(field: &str) -> &'static str {
    LABELS.iter().find(|label| label.field == field).map_or("", |label| label.text)
}

/// Replaces the profile's field names in a violation message by labels.
pub(super) fn in_words(message: &str) -> String {
    if message == "min must not be above max" {
        return "must not be above the highest".to_owned();
    }
    let members = ["vocabulary.avoid", "vocabulary.replace", "max_sentence_words", "max_exclamations"];
    members.iter().fold(message.to_owned(), |text, member| text.replace(member, &format!("“{}”", of_path(member).1)))
}

/// Returns the label of a rule.
pub(in crate::dashboard) fn rule(id: &str) -> &str {
    match id {
        "banned_terms" => "Words to avoid",
        "replacements" => "Words to replace",
        "required_terms" => "Words that must appear",
        "reading_grade" => "Reading grade",
        "sentence_length" => "Longest sentence",
        "point_of_view" => "Point of view",
        "cta_present" => "Call to action",
        "contractions" => "Contractions",
        "emoji" => "Emoji",
        "exclamations" => "Exclamation marks",
        "faq_count" => "Questions and answers",
        "word_count" => "Number of words",
        "structure" => "Headings",
        "keyword_use" => "Keywords",
        "language" => "Language",
        other => other,
    }
}
