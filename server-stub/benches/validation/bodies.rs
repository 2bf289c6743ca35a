//! Bodies that take more work to reject than others of their size. The bench measures them, and a test sends them.

use std::fmt::Write as _;

/// Returns bodies of `POST /generate`, each of nearly `size` bytes, with a label that describes their content.
pub(crate) fn orders(size: usize) -> Vec<(&'static str, String)> {
    let nested = format!("{}{}", "[".repeat(120), "]".repeat(120));
    vec![
        ("empty keywords", list(size, "keywords", |_| "\"\"".to_owned())),
        ("keywords that are numbers", list(size, "keywords", |_| "1".to_owned())),
        ("keywords that are objects", list(size, "keywords", |_| "{}".to_owned())),
        ("metadata of the wrong type", map(size, "metadata", |index| format!("\"{index}\":1"))),
        ("long names in metadata", map(size, "metadata", |index| format!("\"{index:041}\":\"\""))),
        ("long names in metadata, of the wrong type", map(size, "metadata", |index| format!("\"{index:041}\":1"))),
        ("names in metadata with a long start in common", map(size, "metadata", |index| format!("\"{index:0250}\":1"))),
        (
            "names in metadata that a pointer escapes",
            map(size, "metadata", |index| format!("\"{index}{}\":1", "é/~".repeat(12))),
        ),
        ("a name that fills the metadata", format!(r#"{{"metadata":{{"{}":1}}}}"#, "ü".repeat((size - 20) / 2))),
        ("unknown members", members(size, |index| format!("\"{index}\":0"))),
        ("unknown members that are nested", members(size, |index| format!("\"{index}\":{nested}"))),
        (
            "a member given twice, at the end",
            format!("{{{},\"0\":0}}", members(size - 6, |index| format!("\"{index}\":0")).trim_matches(['{', '}'])),
        ),
        ("one nested list after the other", list(size, "keywords", |_| nested.clone())),
        ("a language of many subtags", text(size, "language", "-a1b2c3d4")),
        ("a language of extensions", text(size, "language", "-a-bb")),
        ("a topic of control characters", text(size, "topic", "\\u0001")),
        ("a topic of white space", text(size, "topic", "\\u2003")),
        ("a topic of escaped pairs", text(size, "topic", "\\ud83d\\ude00")),
        ("a time of digits", text(size, "publish_at", "2026-01-01T00:00:00")),
        ("a number of digits", format!(r#"{{"target_word_count":{}}}"#, "9".repeat(size - 24))),
    ]
}

/// Returns JSON bodies of the lead form, with the same size and labels.
pub(crate) fn leads(size: usize) -> Vec<(&'static str, String)> {
    let utm = map(size - 14, "utm", |index| format!("\"{index}\":1"));
    vec![
        ("fields of the wrong type", map(size, "fields", |index| format!("\"{index}\":1"))),
        ("fields that are empty", map(size, "fields", |index| format!("\"{index}\":\"\""))),
        ("campaign parameters of the wrong type", format!(r#"{{"source":{utm}}}"#)),
        ("an e-mail address of escapes", text(size, "email", "\\u0040")),
    ]
}

/// Returns form-encoded bodies of the lead form, with the same size and labels.
pub(crate) fn forms(size: usize) -> Vec<(&'static str, String)> {
    let joined = |part: &dyn Fn(usize) -> String| joined(size, "&", part);
    vec![
        ("many fields", joined(&|index| format!("{index}=1"))),
        ("many campaign parameters", joined(&|index| format!("utm_{index}=1"))),
        ("one field again and again", joined(&|_| "a=1".to_owned())),
        ("encoded names", joined(&|index| format!("%C3%A9%2F%7E{index}=%20"))),
        ("nothing but separators", "&".repeat(size)),
    ]
}

fn list(size: usize, member: &str, item: impl Fn(usize) -> String) -> String {
    format!("{{\"{member}\":[{}]}}", joined(size - member.len() - 7, ",", item))
}

fn map(size: usize, member: &str, item: impl Fn(usize) -> String) -> String {
    format!("{{\"{member}\":{}}}", members(size - member.len() - 5, item))
}

fn members(size: usize, item: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", joined(size - 2, ",", item))
}

fn text(size: usize, member: &str, piece: &str) -> String {
    format!("{{\"{member}\":\"en{}\"}}", piece.repeat((size - member.len() - 9) / piece.len()))
}

/// Joins as many parts as fit into `size` bytes.
fn joined(size: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    let mut whole = part(0);
    for index in 1.. {
        let part = part(index);
        if whole.len() + separator.len() + part.len() > size {
            break;
        }
        write!(whole, "{separator}{part}").expect("writing to a String does not fail");
    }
    whole
}
