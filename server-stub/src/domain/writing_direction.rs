//! Writing direction of a language.

/// Languages that are written from right to left in their usual script.
const RIGHT_TO_LEFT: [&str; 13] = ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"];
/// Scripts that are written from right to left, whatever the language.
const RIGHT_TO_LEFT_SCRIPTS: [&str; 8] = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa", "yezi"];

/// Returns the value of `dir` for a text in this language (BCP 47).
pub fn direction(language: &str) -> &'static str {
    let language = language.to_ascii_lowercase();
    let mut subtags = language.split('-');
    let primary = subtags.next().unwrap_or_default();
    // Four letters after the language are a script, which decides.
    let script = subtags.find(|subtag| subtag.len() == 4 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_right_to_left = match script {
        Some(script) => RIGHT_TO_LEFT_SCRIPTS.contains(&script),
        None => RIGHT_TO_LEFT.contains(&primary),
    };
    if is_right_to_left { "rtl" } else { "ltr" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_decides_before_the_language() {
        for (language, expected) in [
            ("en", "ltr"),
            ("de-AT", "ltr"),
            ("ar", "rtl"),
            ("HE-IL", "rtl"),
            ("fa-IR", "rtl"),
            ("yi", "rtl"),
            ("az-Arab-IR", "rtl"),
            ("ur-Latn", "ltr"),
            ("sr-Cyrl", "ltr"),
        ] {
            assert_eq!(direction(language), expected, "{language}");
        }
    }
}
