//! Texts of errors. Text from outside is put on one line and cut.

/// Maximum length of an excerpt from a body that is not a problem document, in characters.
const EXCERPT_CHARACTERS: usize = 300;

/// Returns the place in a response where the decoder stopped.
pub(crate) fn place(fault: &serde_json::Error) -> String {
    let what = match fault.classify() {
        serde_json::error::Category::Data => "a field does not match the API document",
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Syntax => "it is not JSON",
        serde_json::error::Category::Io => "it could not be read",
    };
    format!("{what}, at line {} column {}", fault.line(), fault.column())
}

/// Returns the text of the innermost cause, which is the informative one.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// Returns the start of a text from outside, on one line and without control characters.
pub(crate) fn excerpt(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let mut line = String::new();
    let mut left = EXCERPT_CHARACTERS;
    for word in words.filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
            left -= 1;
        }
        line.extend(word.chars().take(left));
        left = left.saturating_sub(word.chars().take(left).count());
        if left <= 1 {
            break;
        }
    }
    line
}
