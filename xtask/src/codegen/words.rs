//! How names of the document become names in Rust. Only spelling.

/// `article.published`, `article-published` or `articlePublished` as the name of a type or variant:
/// `ArticlePublished`.
pub(super) fn pascal(name: &str) -> String {
    words(name)
        .iter()
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

/// The same as the name of a member or function: `article_published`.
pub(super) fn snake(name: &str) -> String {
    words(name).join("_")
}

/// The lower-case words of a name, split at punctuation and where a capital follows a small letter or digit.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && previous_small) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        previous_small = letter.is_lowercase() || letter.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}
