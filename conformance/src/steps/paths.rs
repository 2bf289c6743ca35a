//! Paths of requests: percent-encoding of ids, and paths of references in responses.

use std::fmt::Write as _;

use crate::check::{Context, Halt};

/// Encodes an id as one segment of a path, or as one value of a query.
pub(crate) fn segment(id: &str) -> String {
    encoded(id, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// Percent-encodes every byte of an id.
pub(crate) fn percent_encoded(id: &str) -> String {
    encoded(id, |_| false)
}

fn encoded(id: &str, stays: impl Fn(u8) -> bool) -> String {
    id.bytes().fold(String::new(), |mut text, byte| {
        if stays(byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("a String takes every write");
        }
        text
    })
}

/// Decodes the percent-encoding of a text. Keeps a `%` that does not begin an encoded byte.
pub(crate) fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).filter(|hex| *first == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    decoded
}

/// Resolves a URI reference in a response to `from` and returns its path below the base URL.
pub(crate) fn local_path(context: &Context, from: &str, reference: &str) -> Result<String, Halt> {
    let base = &context.facts().base_url;
    let resolved = url::Url::parse(&format!("{base}{from}"))
        .and_then(|url| url.join(reference))
        .map_err(|error| Halt::fail("a URI reference", format!("{reference}: {error}")))?;
    let origin = url::Url::parse(base).map_err(|error| Halt::Error(error.to_string()))?;
    let same = resolved.origin() == origin.origin();
    let path = resolved[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
    match below_base(origin.path(), &path) {
        Some(path) if same => Ok(path.to_owned()),
        _ => Err(Halt::fail("a reference into the same API", reference)),
    }
}

/// Returns a path without the path of the base URL. If a proxy strips that path, the server does not know it and leaves it out.
fn below_base<'path>(base: &str, path: &'path str) -> Option<&'path str> {
    let below = path.strip_prefix(base.trim_end_matches('/')).filter(|rest| rest.starts_with('/'));
    below.or_else(|| path.starts_with("/api/").then_some(path))
}

#[cfg(test)]
mod tests {
    use super::{below_base, percent_decoded};

    #[test]
    fn encoded_bytes_are_decoded_and_other_text_is_kept() {
        assert_eq!(percent_decoded("a%2fb%C3%A9"), "a/b\u{e9}".as_bytes());
        assert_eq!(percent_decoded("100%+%4"), b"100%+%4");
    }

    #[test]
    fn a_reference_may_leave_out_the_path_of_the_base_url() {
        assert_eq!(below_base("/content", "/content/api/v1/jobs/job_1"), Some("/api/v1/jobs/job_1"));
        assert_eq!(below_base("/content/", "/api/v1/jobs/job_1"), Some("/api/v1/jobs/job_1"));
        assert_eq!(below_base("/", "/api/v1/jobs?limit=1"), Some("/api/v1/jobs?limit=1"));
        for other in ["/contents/api/v1/jobs", "/other/api/v1/jobs", "/apis/v1/jobs"] {
            assert_eq!(below_base("/content", other), None, "{other}");
        }
    }
}
