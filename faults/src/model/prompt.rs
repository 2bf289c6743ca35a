//! Reads the content of a request: an article with its topic, length and language, or a single word.

use serde_json::Value;

/// Topic of an article if the request names none.
const TOPIC: &str = "Keeping a rye starter alive";
/// Number of words of an article if the request names none.
const WORDS: usize = 600;
/// Number of questions of an article if the request names none.
const QUESTIONS: usize = 3;
/// Maximum number of words and of questions.
const MAX: (usize, usize) = (6000, 10);

/// Content of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) topic: String,
    pub(super) keywords: Vec<String>,
    /// Words, or characters in languages without spaces.
    pub(super) words: usize,
    pub(super) questions: usize,
    pub(super) is_japanese: bool,
    /// True if the request asks for an article. Otherwise it tests the connection.
    pub(super) is_article: bool,
    /// Number of tokens that the model reads, at four characters each.
    pub(super) tokens: usize,
}

impl Prompt {
    /// Reads the body of a chat completion, as `contentgen-server` writes it. Other requests get the default values.
    pub(super) fn read(body: &Value) -> Self {
        let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = messages.iter().filter_map(|message| message["content"].as_str()).collect();
        let text = texts.join("\n");
        let quoted = |what: &str| {
            let (_, rest) = text.split_once(&format!("what=\"{what}\">\n"))?;
            Some(rest.split_once("\n</")?.0)
        };
        let number = |label: &str| {
            let (_, rest) = text.split_once(label)?;
            rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<usize>().ok()
        };
        let no_questions = text.contains("faq: an empty list");
        Self {
            topic: quoted("topic").unwrap_or(TOPIC).to_owned(),
            keywords: quoted("keywords").map(|lines| lines.lines().map(str::to_owned).collect()).unwrap_or_default(),
            words: number("all sections together: ").unwrap_or(WORDS).min(MAX.0),
            questions: if no_questions { 0 } else { number("faq: ").unwrap_or(QUESTIONS).min(MAX.1) },
            is_japanese: text.contains("in the language ja"),
            is_article: text.contains("article") || text.contains("sections"),
            tokens: text.chars().count() / 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_request_decides_topic_length_and_language() {
        let text = "Write the article in the language ja.\n<m what=\"topic\">\nパン\n</m>\n<m what=\"keywords\">\na\nb\n</m>\n\
                    - all sections together: 270 characters.\n- faq: 2 questions with their answers";
        let prompt = Prompt::read(&json!({ "messages": [{ "role": "user", "content": text }] }));
        assert_eq!((prompt.topic.as_str(), prompt.words, prompt.questions), ("パン", 270, 2));
        assert!(prompt.is_japanese && prompt.is_article && prompt.keywords == ["a", "b"]);
        let prompt =
            Prompt::read(&json!({ "messages": [{ "role": "user", "content": "Answer with the word ready." }] }));
        assert_eq!((prompt.topic.as_str(), prompt.words, prompt.is_article), (TOPIC, WORDS, false));
    }
}
