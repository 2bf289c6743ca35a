//! Answers read from the raw bytes of a connection.
//!
//! How the bytes travel lives in `runner::raw`.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::header_fields;

/// What every answer begins with.
const BEGIN: &str = "HTTP/1.";

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawAnswer {
    /// Its status.
    pub status: u16,
    /// Its headers, those left out that are none.
    pub headers: HeaderMap,
    /// What follows the headers, up to the next answer.
    pub body: Vec<u8>,
}

impl RawAnswer {
    /// Whether it says that no further answer follows.
    pub(crate) fn announces_end(&self) -> bool {
        let options = header_fields::joined(&self.headers, "connection");
        header_fields::elements(&options).iter().any(|option| option.eq_ignore_ascii_case("close"))
    }
}

/// The answers in `bytes`, in order.
pub(crate) fn read(bytes: &[u8]) -> Vec<RawAnswer> {
    let text = String::from_utf8_lossy(bytes);
    let starts: Vec<usize> = text.match_indices(BEGIN).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| one(&text[*start..end])).collect()
}

fn one(text: &str) -> Option<RawAnswer> {
    let status = text.get(BEGIN.len() + 2..BEGIN.len() + 5)?.parse().ok()?;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let headers = head.lines().skip(1).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse::<HeaderName>().ok()?, value.trim().parse::<HeaderValue>().ok()?))
    });
    let mut all = HeaderMap::new();
    for (name, value) in headers {
        all.append(name, value);
    }
    Some(RawAnswer { status, headers: all, body: body.as_bytes().to_vec() })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn answers_on_one_connection_are_told_apart() {
        let bytes = b"HTTP/1.1 404 Not Found\r\nX-Request-Id: req_1\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 401\r\nConnection: Keep-Alive, Close\r\n\r\n";
        let answers = read(bytes);
        assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [404, 401]);
        assert_eq!(answers[0].headers["x-request-id"], "req_1");
        assert_eq!(answers[0].body, b"{}");
        assert!(!answers[0].announces_end() && answers[1].announces_end());
        assert_eq!(read(b""), []);
    }
}
