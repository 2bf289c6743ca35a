//! Responses with the same meaning in HTTP, but other bytes on the wire.

use super::super::fault::{Fault, Profile, variant};
use crate::edge::{ConnectionForm, Written};

/// End of a response head.
const HEAD_END: &[u8] = b"\r\n\r\n";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.http-1-0",
        "Responses are HTTP/1.0 and end their connection: RFC 9110 2.5 lets a server use a lower minor version.",
        Profile::Full,
    )
    .connection(ConnectionForm { title_case: false, closes: true, rewrite: Some(as_http_1_0) }),
    variant(
        "benign.upper-case",
        "Header names are written in capital letters: RFC 9110 5.1 makes them case-insensitive.",
        Profile::Full,
    )
    .connection(rewriting(|written| edit_lines(written, |name, value| format!("{}: {value}", name.to_uppercase())))),
    variant(
        "benign.blank-around-values",
        "Header values have a tab before and a space after them: RFC 9112 5.1 allows white space there.",
        Profile::Full,
    )
    .connection(rewriting(|written| edit_lines(written, |name, value| format!("{name}:\t{value} ")))),
    variant("benign.no-reason", "The status line has no reason phrase: RFC 9112 4 makes it optional.", Profile::Full)
        .connection(rewriting(|written| {
            let end = written.bytes.iter().position(|byte| *byte == b'\r');
            // The prefix is as long as `HTTP/1.1 200 `.
            if let Some(end) = end.filter(|end| *end > 13) {
                written.bytes.drain(13..end);
            }
        })),
    variant(
        "benign.early-hints",
        "A 103 Early Hints comes before the 200 to GET: RFC 9110 15.2 has clients expect such responses at any time.",
        Profile::Full,
    )
    .connection(rewriting(|written| {
        if written.method == "GET" && written.status == 200 {
            let hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n";
            written.bytes = [hints.as_slice(), &written.bytes].concat();
        }
    })),
    variant(
        "benign.chunk-extensions",
        "Bodies are sent in chunks with extensions and a trailer: RFC 9112 7.1 has clients skip unknown ones.",
        Profile::Full,
    )
    .connection(rewriting(chunk)),
    variant(
        "benign.errors-close",
        "The connection ends after each refusal, as announced: RFC 9112 9.6 lets a server end any connection.",
        Profile::Full,
    )
    .response(|response, _, _| response.closes |= response.status >= 400),
];

const fn rewriting(rewrite: fn(&mut Written)) -> ConnectionForm {
    ConnectionForm { title_case: false, closes: false, rewrite: Some(rewrite) }
}

fn as_http_1_0(written: &mut Written) {
    // HTTP/1.0 has no interim responses, so leave it unchanged.
    if written.status >= 200 {
        written.bytes[7] = b'0';
    }
}

fn head_end(written: &Written) -> Option<usize> {
    written.bytes.windows(HEAD_END.len()).position(|window| window == HEAD_END)
}

/// Rewrites every header line with `write`. A head that is not text stays unchanged.
fn edit_lines(written: &mut Written, write: fn(&str, &str) -> String) {
    let Some(end) = head_end(written) else { return };
    let Ok(head) = std::str::from_utf8(&written.bytes[..end]) else { return };
    let mut lines = head.split("\r\n");
    let mut edited = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        edited.push_str("\r\n");
        match line.split_once(':') {
            Some((name, value)) => edited.push_str(&write(name, value.trim())),
            None => edited.push_str(line),
        }
    }
    let rest = written.bytes.split_off(end);
    written.bytes = edited.into_bytes();
    written.bytes.extend(rest);
}

/// Writes the body as one chunk, unless it is incomplete.
fn chunk(written: &mut Written) {
    let has_no_body = written.method == "HEAD" || matches!(written.status, 100..=199 | 204 | 304);
    let Some(begin) = head_end(written).map(|end| end + HEAD_END.len()).filter(|_| !has_no_body) else { return };
    let length = written.bytes.len() - begin;
    if length == 0 || written.header("content-length") != Some(length.to_string()) {
        return;
    }
    let body = written.bytes.split_off(begin);
    edit_lines(written, |name, value| {
        let is_length = name.eq_ignore_ascii_case("content-length");
        if is_length { "transfer-encoding: chunked".to_owned() } else { format!("{name}: {value}") }
    });
    written.bytes.extend(format!("{length:x};part=\"1 of 1\";last\r\n").into_bytes());
    written.bytes.extend(body);
    written.bytes.extend(b"\r\n0;end\r\nServer-Timing: edge;dur=1\r\n\r\n");
}

#[cfg(test)]
mod tests {
    use super::{Written, chunk, edit_lines};

    fn written(text: &str) -> Written {
        Written { method: "GET".to_owned(), status: 200, bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn a_body_comes_in_a_chunk_with_extensions() {
        let mut whole = written("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\n{}");
        chunk(&mut whole);
        let expected = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nA: b\r\n\r\n\
            2;part=\"1 of 1\";last\r\n{}\r\n0;end\r\nServer-Timing: edge;dur=1\r\n\r\n";
        assert_eq!(String::from_utf8_lossy(&whole.bytes), expected);
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}";
        let mut part = written(begun);
        chunk(&mut part);
        assert_eq!(String::from_utf8_lossy(&part.bytes), begun);
    }

    #[test]
    fn lines_of_the_head_are_written_anew() {
        let mut response = written("HTTP/1.1 200 OK\r\nA-b: c:d\r\n\r\ne: f");
        edit_lines(&mut response, |name, value| format!("{}:\t{value} ", name.to_uppercase()));
        assert_eq!(String::from_utf8_lossy(&response.bytes), "HTTP/1.1 200 OK\r\nA-B:\tc:d \r\n\r\ne: f");
    }
}
