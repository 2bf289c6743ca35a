//! Equivalent cache directives, and other forms of entity tags.

use http::HeaderValue;

use super::super::fault::{Fault, Profile, variant};
use crate::memory::Memory;
use crate::message::{Request, Response};

/// Every character allowed in an entity tag (RFC 9110, section 8.8.3), after the opening quote.
const MARKS: &str = r#""!#$%&'()*+,-./:;<=>?@[\]^_`{|}~"#;
/// Suffix that a compressing gateway adds to a tag.
pub(super) const SUFFIX: &str = "-gzip\"";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.cache-control-cased",
        "Cache-Control is written Private, No-Cache or No-Store: RFC 9111 5.2 compares directives in any letter case.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change("cache-control", |value| value.split('-').map(capitalised).collect::<Vec<_>>().join("-"));
    }),
    variant(
        "benign.cache-control-more",
        "Cache-Control also says max-age=0, must-revalidate, as Expires and Pragma do: RFC 9111 5.2 allows it.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change("cache-control", |value| format!("max-age=0, {value}, must-revalidate"));
        response.set("expires", "Thu, 01 Jan 1970 00:00:00 GMT");
        response.set("pragma", "no-cache");
    }),
    variant("benign.tags-marks", "Entity tags contain every character that RFC 9110 8.8.3 allows.", Profile::Full)
        .request(|request, _| edit_held(request, |line| line.replace(MARKS, "\"")))
        .response(|response, _, _| response.change("etag", |tag| tag.replacen('"', MARKS, 1))),
    variant(
        "benign.tags-short",
        "Entity tags are small numbers: RFC 9110 8.8.3 leaves their length to the server.",
        Profile::Full,
    )
    .request(|request, memory| edit_held(request, |line| with_long_tags(line, memory)))
    .response(|response, _, memory| response.change("etag", |tag| short(tag, memory))),
    variant(
        "benign.tags-suffixed",
        "Entity tags end in -gzip, as from a compressing gateway: RFC 9110 8.8.3 leaves their text open.",
        Profile::Full,
    )
    .request(|request, _| edit_held(request, |line| line.replace(SUFFIX, "\"")))
    .response(suffix_tag),
];

/// Capitalises each element of a list.
fn capitalised(words: &str) -> String {
    let mut capitalised = String::with_capacity(words.len());
    for letter in words.chars() {
        let is_first = capitalised.is_empty() || capitalised.ends_with([' ', ',']);
        capitalised.push(if is_first { letter.to_ascii_uppercase() } else { letter });
    }
    capitalised
}

/// Changes the tags in the caller's conditions.
pub(super) fn edit_held(request: &mut Request, edit: impl Fn(&str) -> String) {
    let lines: Vec<HeaderValue> = request.headers.get_all("if-none-match").iter().cloned().collect();
    request.remove("if-none-match");
    for line in lines {
        let edited = line.to_str().ok().and_then(|line| HeaderValue::from_str(&edit(line)).ok());
        request.headers.append("if-none-match", edited.unwrap_or(line));
    }
}

/// Returns the number for a tag, the same each time.
fn short(tag: &str, memory: &Memory) -> String {
    if let Some(known) = memory.text(&format!("short of {tag}")) {
        return known;
    }
    let number = format!("\"{}\"", memory.next_number("tags"));
    memory.put(&format!("long of {number}"), tag);
    memory.get_or_put(&format!("short of {tag}"), number.clone()).as_str().unwrap_or(&number).to_owned()
}

/// Replaces each number in a line of tags with its tag. Leaves unknown numbers unchanged.
fn with_long_tags(line: &str, memory: &Memory) -> String {
    let parts = line.split('"').enumerate().map(|(index, part)| {
        let tag = format!("\"{part}\"");
        // Every second part is within quotes.
        let known = memory.text(&format!("long of {tag}")).filter(|_| index % 2 == 1);
        known.map_or_else(|| part.to_owned(), |known| known.trim_matches('"').to_owned())
    });
    parts.collect::<Vec<_>>().join("\"")
}

fn suffix_tag(response: &mut Response, _: &Request, _: &Memory) {
    if response.header("etag").is_some() {
        response.change("etag", suffixed);
        response.append("vary", "Accept-Encoding");
    }
}

/// Returns the tag with the suffix.
pub(super) fn suffixed(tag: &str) -> String {
    format!("{}{SUFFIX}", tag.strip_suffix('"').unwrap_or(tag))
}

#[cfg(test)]
mod tests {
    use super::{capitalised, short, with_long_tags};
    use crate::memory::Memory;

    #[test]
    fn numbers_stand_for_tags_and_are_taken_back() {
        let memory = Memory::default();
        assert_eq!(short("\"ab\"", &memory), "\"0\"");
        assert_eq!(short("\"cd\"", &memory), "\"1\"");
        assert_eq!(short("\"ab\"", &memory), "\"0\"");
        assert_eq!(with_long_tags("W/\"1\", \"x\",\"0\"", &memory), "W/\"cd\", \"x\",\"ab\"");
        assert_eq!(with_long_tags("*", &memory), "*");
    }

    #[test]
    fn directives_begin_with_capitals() {
        assert_eq!(capitalised("private, no"), "Private, No");
    }
}
