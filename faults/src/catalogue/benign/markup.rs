//! Splits HTML into tags and text.

/// Rewrites tags and the text between them with separate functions.
pub(super) fn rewritten(html: &str, mut tag: impl FnMut(&str) -> String, text: impl Fn(&str) -> String) -> String {
    let (mut written, mut rest) = (String::with_capacity(html.len()), html);
    while let Some(begin) = rest.find('<') {
        written.push_str(&text(&rest[..begin]));
        let mut is_quoted = false;
        let end = rest[begin..].find(|letter: char| {
            is_quoted ^= letter == '"';
            letter == '>' && !is_quoted
        });
        let end = end.map_or(rest.len(), |length| begin + length + 1);
        written.push_str(&tag(&rest[begin..end]));
        rest = &rest[end..];
    }
    written + &text(rest)
}

/// Returns the name in a start or end tag.
pub(super) fn name_of(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    &name[..name.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(name.len())]
}

/// Returns true for the start tag of an element.
pub(super) fn is_begin(tag: &str) -> bool {
    !tag.starts_with("</")
}
