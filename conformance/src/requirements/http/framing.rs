//! Framing of responses on the wire. Checks the bytes, because HTTP libraries repair many faults.

use serde_json::{Value, json};

use super::raw::{Place, RAW, place};
use crate::check::Source::{Sentence, Standard};
use crate::check::{
    Capability, Cases, Context, Halt, RawAnswer, Requirement, Verdict, behind_last_chunk, demand, ensure, ensure_met,
    header_fields,
};
use crate::steps;

const JOBS: &[Capability] = &[Capability::RAW_CONNECTION, Capability::HTTP1, Capability::JOBS];

/// Paths with responses of several kinds, and whether the request has a key.
const PATHS: [(&str, bool); 5] = [
    ("/api/v1/websites", true),
    ("/api/v1/articles?limit=3", true),
    ("/api/v1/jobs/job_x", true),
    ("/api/v1/websites", false),
    ("/api/v1/nothing", true),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.framing.length",
            "A response has Content-Length or chunks, not both, and its body ends there: further bytes would look like the next response.",
            &[Standard("RFC 9112", "6.2"), Standard("RFC 9112", "6.3"), Standard("RFC 9110", "8.6")],
            length,
        )
        .needs(RAW)
        .drawn("responses of several kinds", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "http.framing.bodiless",
            "A response to HEAD and a response 304 end with their headers, whatever Content-Length says.",
            &[
                Sentence("No body."),
                Standard("RFC 9112", "6.3"),
                Standard("RFC 9110", "9.3.2"),
                Standard("RFC 9110", "15.4.5"),
            ],
            bodiless,
        )
        .needs(JOBS),
    ]
}

/// Returns the only response to a request on a separate connection.
async fn only_answer(context: &Context, request: &str, more: &str, has_key: bool) -> Result<RawAnswer, Halt> {
    let Place { host, base } = place(context)?;
    let (method, path) = request.split_once(' ').unwrap_or(("GET", request));
    let key = if has_key { "Authorization: Bearer {key}\r\n" } else { "" };
    let head = format!("{method} {base}{path} HTTP/1.1\r\nHost: {host}\r\n{key}{more}Connection: close\r\n\r\n");
    // Asks for two, so that bytes after the first response arrive, too.
    let mut answers = context.raw(head.into_bytes(), 2).await?;
    ensure_met(!answers.is_empty(), "no response arrived")?;
    ensure(answers.len() == 1, format!("one response to {request}"), || answers.len().to_string())?;
    Ok(answers.remove(0))
}

async fn length(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let (path, has_key) = PATHS[index % PATHS.len()];
    let answer = only_answer(&context, &format!("GET {path}"), "", has_key).await?;
    let is_text = std::str::from_utf8(&answer.body).is_ok_and(|text| !text.contains(char::REPLACEMENT_CHARACTER));
    ensure_met(is_text, "the body is not UTF-8, so its bytes cannot be counted")?;
    framed(path, &answer)
}

fn framed(path: &str, answer: &RawAnswer) -> Verdict {
    let is_chunked =
        header_fields::joined(&answer.headers, "transfer-encoding").to_ascii_lowercase().contains("chunked");
    let lengths: Vec<_> = answer.headers.get_all("content-length").iter().collect();
    let response = format!("{} of {path}", answer.status);
    ensure(!is_chunked || lengths.is_empty(), format!("chunks or Content-Length in the {response}"), || {
        "both".to_owned()
    })?;
    ensure(lengths.len() <= 1, format!("one Content-Length in the {response}"), || format!("{lengths:?}"))?;
    let length = lengths.first().and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let rest = match length {
        // A shorter body may be one that did not arrive in time.
        Some(length) => answer.body.get(length..).unwrap_or_default(),
        None if is_chunked => behind_last_chunk(&answer.body).unwrap_or_default(),
        None => &[],
    };
    ensure(rest.is_empty(), format!("no bytes after the body of the {response}"), || {
        format!("{} bytes more", rest.len())
    })
}

async fn bodiless(context: Context, _: Value) -> Verdict {
    for path in ["/api/v1/websites", "/api/v1/jobs/job_x"] {
        let answer = only_answer(&context, &format!("HEAD {path}"), "", true).await?;
        ensure(answer.body.is_empty(), format!("no bytes after the headers for HEAD {path}"), || {
            format!("{} bytes", answer.body.len())
        })?;
    }
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Sending an empty envelope")).await?;
    let tag = demand::header(&article, "etag")?;
    let more = format!("If-None-Match: {tag}\r\n");
    let answer = only_answer(&context, &format!("GET {}", article.request.path), &more, true).await?;
    ensure_met(answer.status == 304, "the article with its ETag did not get a 304")?;
    ensure(answer.body.is_empty(), "no bytes after the headers of a 304", || format!("{} bytes", answer.body.len()))
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::{RawAnswer, behind_last_chunk, framed};

    fn answer(headers: &[(&'static str, &'static str)], body: &str) -> RawAnswer {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(*name, value.parse().expect("a value"));
        }
        RawAnswer { status: 200, headers: all, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn a_body_ends_where_its_headers_say() {
        assert!(framed("/", &answer(&[("content-length", "2")], "{}")).is_ok());
        assert!(framed("/", &answer(&[("content-length", "9")], "{}")).is_ok());
        assert!(framed("/", &answer(&[("content-length", "2")], "{}\r\n")).is_err());
        assert!(framed("/", &answer(&[("content-length", "2"), ("content-length", "2")], "{}")).is_err());
        let chunks = "2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n";
        assert!(framed("/", &answer(&[("transfer-encoding", "chunked")], chunks)).is_ok());
        assert!(framed("/", &answer(&[("transfer-encoding", "Chunked"), ("content-length", "2")], chunks)).is_err());
        assert!(framed("/", &answer(&[("transfer-encoding", "chunked")], &format!("{chunks} "))).is_err());
    }

    #[test]
    fn incomplete_chunks_have_no_end() {
        assert_eq!(behind_last_chunk(b"2\r\n{"), None);
        assert_eq!(behind_last_chunk(b"2\r\n{}\r\n0\r\n\r\nx"), Some(b"x".as_slice()));
    }
}
