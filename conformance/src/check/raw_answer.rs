//! Parses responses from the raw bytes of a connection.
//!
//! `runner::raw` transfers the bytes.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::header_fields;

/// The beginning of every response.
const BEGIN: &str = "HTTP/1.";
const LINE_END: &[u8] = b"\r\n";
const HEAD_END: &[u8] = b"\r\n\r\n";

/// One response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawAnswer {
    /// Its status.
    pub status: u16,
    /// Its headers, without malformed lines.
    pub headers: HeaderMap,
    /// The bytes between the headers and the next response.
    pub body: Vec<u8>,
}

impl RawAnswer {
    /// Returns true if it announces that no further response follows.
    pub(crate) fn announces_end(&self) -> bool {
        let options = header_fields::joined(&self.headers, "connection");
        header_fields::elements(&options).iter().any(|option| option.eq_ignore_ascii_case("close"))
    }
}

/// Returns the responses in `bytes`, in order, without interim responses (RFC 9110, section 15.2). The headers define
/// the length of a body. Bytes between a body and the next response are part of the body here.
pub(crate) fn read(bytes: &[u8]) -> Vec<RawAnswer> {
    let mut answers = Vec::new();
    let mut rest = bytes;
    while let Some(begin) = next_begin(rest, 0) {
        let answer = &rest[begin..];
        let head_end = find(answer, HEAD_END).map_or(answer.len(), |at| at + HEAD_END.len());
        let Some((status, headers)) = head(&answer[..head_end]) else {
            rest = &answer[BEGIN.len()..];
            continue;
        };
        let body = &answer[head_end..];
        let end = next_begin(body, body_length(status, &headers, body)).unwrap_or(body.len());
        if !(100..200).contains(&status) {
            answers.push(RawAnswer { status, headers, body: body[..end].to_vec() });
        }
        rest = &body[end..];
    }
    answers
}

/// Returns the position at which the next response begins, at or after `from`.
fn next_begin(bytes: &[u8], from: usize) -> Option<usize> {
    find(bytes.get(from..)?, BEGIN.as_bytes()).map(|at| from + at)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Returns the length that a body has by its headers, as far as it arrived. The headers of a response to HEAD describe
/// a body that is not sent: the next response begins at once.
fn body_length(status: u16, headers: &HeaderMap, body: &[u8]) -> usize {
    let is_bodiless = matches!(status, 100..200 | 204 | 304) || body.starts_with(BEGIN.as_bytes());
    let length = headers.get("content-length").and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let is_chunked = header_fields::joined(headers, "transfer-encoding").to_ascii_lowercase().contains("chunked");
    match length {
        _ if is_bodiless => 0,
        Some(length) => length.min(body.len()),
        None if is_chunked => behind_last_chunk(body).map_or(body.len(), |rest| body.len() - rest.len()),
        // The body ends with the connection.
        None => body.len(),
    }
}

/// Returns the bytes after the last chunk and its trailers (RFC 9112, section 7.1), or `None` if the last chunk is missing.
pub(crate) fn behind_last_chunk(mut body: &[u8]) -> Option<&[u8]> {
    loop {
        let end = find(body, LINE_END)?;
        let size = std::str::from_utf8(&body[..end]).ok()?;
        let size = usize::from_str_radix(size.split(';').next()?.trim(), 16).ok()?;
        body = &body[end + LINE_END.len()..];
        if size == 0 {
            break;
        }
        body = body.get(size.checked_add(LINE_END.len())?..)?;
    }
    loop {
        let end = find(body, LINE_END)?;
        body = &body[end + LINE_END.len()..];
        if end == 0 {
            return Some(body);
        }
    }
}

/// Returns status and headers, if there is a status.
fn head(bytes: &[u8]) -> Option<(u16, HeaderMap)> {
    let text = String::from_utf8_lossy(bytes);
    let status = text.get(BEGIN.len() + 2..BEGIN.len() + 5)?.parse().ok()?;
    let headers = text.lines().skip(1).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse::<HeaderName>().ok()?, value.trim().parse::<HeaderValue>().ok()?))
    });
    let mut all = HeaderMap::new();
    for (name, value) in headers {
        all.append(name, value);
    }
    Some((status, all))
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

    #[test]
    fn what_a_body_says_is_no_answer_and_what_announces_one_is_none() {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        let titled = r#"{"title":"HTTP/1.1 200 OK explained"}"#;
        let whole = format!("{early}HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{titled}", titled.len());
        let chunks = format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{titled}\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
            titled.len()
        );
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n";
        for (bytes, statuses) in [
            (whole.clone(), vec![200]),
            (chunks, vec![200, 204]),
            (format!("{head}{whole}"), vec![200, 200]),
            (format!("{whole} more{whole}"), vec![200, 200]),
        ] {
            let answers = read(bytes.as_bytes());
            assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), statuses, "{bytes}");
        }
        assert_eq!(read(format!("{whole} more").as_bytes())[0].body, format!("{titled} more").as_bytes());
    }
}
