//! Raw requests: malformed ones, oversized headers, chunks, several requests on one connection.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    Capability, Cases, Context, Halt, RawAnswer, Request, Requirement, Source, Verdict, demand, ensure, ensure_met,
};
use crate::steps;
use crate::steps::draws::index_of;
use crate::strategies::Space;

pub(super) const RAW: &[Capability] = &[Capability::RAW_CONNECTION, Capability::HTTP1];

const HEADER_BLOCK: &[Source] = &[
    Sentence("The request line and headers are larger than 16 KiB."),
    Sentence("If the request is refused before routing, the body may be empty."),
    Part("/x-problem-codes/headers_too_large/status"),
    Part("/x-limits/header_block"),
    Standard("RFC 6585", "5"),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.raw.malformed",
            "The response to malformed HTTP is 4xx or 5xx except 500, or the server closes the connection. The server continues to respond to other requests.",
            &[
                Sentence(
                    "The HTTP message, a header such as `Idempotency-Key`, or a body of `multipart/form-data` is malformed.",
                ),
                Sentence(
                    "If an HTTP library refuses a request before routing, because it is malformed or its headers are too large, the response may lack the headers of this document and have any body.",
                ),
                Standard("RFC 9112", "2.2"),
                Standard("RFC 9112", "6.3"),
            ],
            malformed,
        )
        .needs(RAW)
        .drawn("malformed request heads", Cases::Exactly(9), |_, draw| json!(draw.index())),
        Requirement::new(
            "http.raw.keep-alive",
            "The responses to several requests on one connection arrive in order.",
            &[
                Standard("RFC 9112", "9.3"),
                Standard("RFC 9112", "9.3.2"),
                Standard("RFC 9112", "9.6"),
                Sentence(
                    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
                ),
            ],
            keep_alive,
        )
        .needs(RAW),
        Requirement::new(
            "http.raw.smuggling",
            "A request with both Content-Length and Transfer-Encoding is not treated as two requests.",
            &[Standard("RFC 9112", "6.1")],
            smuggling,
        )
        .should()
        .needs(RAW),
        Requirement::new(
            "http.raw.headers-within",
            "A header block of 12 KiB is accepted. The response to one of 17 KiB or 40 KiB is 431, if the server does not close the connection.",
            HEADER_BLOCK,
            headers,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| header_block(space))
        .needs(RAW),
        Requirement::new(
            "http.raw.chunked",
            "A chunked body without Content-Length is accepted.",
            &[
                Sentence("A request body may be chunked, without `Content-Length`."),
                Standard("RFC 9112", "7.1"),
            ],
            chunked,
        )
        .needs(RAW),
        Requirement::new(
            "http.raw.stalled-body",
            "The response to a body that stops in the middle is 408 request_timeout, within 35 seconds.",
            &[
                Sentence("The body did not arrive in time."),
                Sentence("The body did not arrive within 30 seconds."),
                Part("/x-limits/body_time/maximum"),
            ],
            stalled_body,
        )
        .drawn("the seconds for a body", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("body_time", "maximum"))
        })
        .should()
        .needs(RAW)
        .background(),
    ]
}

/// Time by which a server may notice late that a body does not arrive.
const NOTICED_WITHIN: Duration = Duration::from_secs(5);

/// Maximum size of a header block in bytes.
fn header_block(space: &Space) -> Value {
    json!(space.document().limit_number("header_block", "maximum"))
}

/// Address of raw requests: the value of `Host`, and the path of the base URL before every path.
pub(in crate::requirements) struct Place {
    pub(in crate::requirements) host: String,
    pub(in crate::requirements) base: String,
}

pub(in crate::requirements) fn place(context: &Context) -> Result<Place, Halt> {
    let url = url::Url::parse(&context.facts().base_url).map_err(|error| Halt::Error(error.to_string()))?;
    let port = url.port_or_known_default().unwrap_or(80);
    let host = format!("{}:{port}", url.host_str().unwrap_or("localhost"));
    Ok(Place { host, base: url.path().trim_end_matches('/').to_owned() })
}

/// Returns the statuses of responses, in order.
fn statuses(answers: &[RawAnswer]) -> Vec<u16> {
    answers.iter().map(|answer| answer.status).collect()
}

/// Requires that the server had room for raw requests. Otherwise the case decides nothing.
fn had_room(seen: &[u16]) -> Verdict {
    let has_no_room = seen.iter().any(|status| matches!(*status, 429 | 503));
    ensure_met(!has_no_room, format!("the server had no room for a raw request: {seen:?}"))
}

/// Demands the status 200 for a well-formed raw request. Otherwise the case decides nothing.
async fn understood(context: &Context) -> Verdict {
    let Place { host, base } = place(context)?;
    let head = format!(
        "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nConnection: close\r\n\r\n"
    );
    let ask = async { Ok(json!(statuses(&context.raw(head.into_bytes(), 1).await?))) };
    let seen = context.asked_once("a well-formed request", Box::pin(ask)).await?;
    ensure_met(seen == json!([200]), format!("the response to a well-formed raw request was {seen}"))
}

async fn malformed(context: Context, case: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let heads = [
        "GET\r\n\r\n".to_owned(),
        "\u{0}\u{1}\u{2}\u{3}\r\n\r\n".to_owned(),
        format!("GET {base}/api/v1/websites HTTP/9.9\r\nHost: {host}\r\n\r\n"),
        format!("GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nBad Header: x\r\n\r\n"),
        format!("GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nno colon\r\n\r\n"),
        format!(
            "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n{{}}"
        ),
        format!(
            "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nContent-Length: x\r\n\r\n{{}}"
        ),
        format!(
            "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n"
        ),
        "G\u{e9}T / HTTP/1.1\r\n\r\n".to_owned(),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % heads.len();
    let answer = context.raw(heads[index].clone().into_bytes(), 1).await?;
    for status in statuses(&answer) {
        ensure((400..600).contains(&status) && status != 500, "a 4xx, a 5xx except 500, or no response", || {
            status.to_string()
        })?;
    }
    let alive = context.send(Request::new("get_article", "GET", "/articles/art_x")).await?;
    ensure(alive.status < 500, "a response below 500 to the next request", || demand::seen(&alive))?;
    understood(&context).await
}

async fn keep_alive(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let get = |path: &str| format!("GET {base}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let all = [get("/api/v1/nothing"), get("/api/v1/websites"), get("/api/v1/nothing")].concat();
    let answer = context.raw(all.into_bytes(), 3).await?;
    let seen = statuses(&answer);
    had_room(&seen)?;
    ensure([404, 401, 404].starts_with(&seen), "404, 401 and 404 in this order", || format!("{seen:?}"))?;
    let is_closed = answer.iter().any(RawAnswer::announces_end);
    ensure_met(seen.len() == 3 || is_closed, format!("only {} of 3 responses arrived", seen.len()))?;
    understood(&context).await
}

async fn smuggling(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let hidden = format!(
        "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nX-Hidden: yes\r\n\r\n"
    );
    let head = format!(
        "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
        hidden.len() + 5
    );
    let answer = context.raw(head.into_bytes(), 2).await?;
    let seen = statuses(&answer);
    let smuggled = seen.get(1).is_some_and(|status| (200..300).contains(status));
    ensure(!smuggled, "no response to the request inside the body", || format!("{seen:?}"))?;
    understood(&context).await
}

async fn headers(context: Context, limit: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let limit = index_of(&limit) / 1024;
    let mut refusals = 0;
    for (kilobytes, wanted) in [(limit.saturating_sub(4), 200), (limit + 1, 431), (limit * 5 / 2, 431)] {
        let padding = "p".repeat(1_000);
        let padding =
            (0..kilobytes).fold(String::new(), |all, number| all + &format!("X-Pad-{number:02}: {padding}12345\r\n"));
        let head = format!(
            "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nConnection: close\r\n{padding}\r\n"
        );
        let answer = context.raw(head.into_bytes(), 1).await?;
        let seen = statuses(&answer);
        had_room(&seen)?;
        if wanted == 431 && seen.is_empty() {
            // The server may close the connection before it has read the headers.
            continue;
        }
        ensure(seen.first() == Some(&wanted), format!("status {wanted} for {kilobytes} KiB of headers"), || {
            format!("{seen:?}")
        })?;
        refusals += usize::from(wanted == 431);
    }
    ensure_met(refusals > 0, "no response arrived to requests with too large headers")
}

async fn chunked(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let body = steps::quiet_request(&context, "Sending it in pieces").to_string();
    let (first, second) = body.split_at(body.floor_char_boundary(body.len() / 2));
    let message = format!(
        "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{first}\r\n{:X}\r\n{second}\r\n0\r\n\r\n",
        first.len(),
        second.len()
    );
    let answer = context.raw(message.into_bytes(), 1).await?;
    let seen = statuses(&answer);
    had_room(&seen)?;
    ensure(seen.first() == Some(&202), "status 202", || format!("{seen:?}"))
}

async fn stalled_body(context: Context, case: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    understood(&context).await?;
    let message = format!(
        "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{\"topic\": "
    );
    let limit = Duration::from_secs(case.as_u64().unwrap_or_default()) + NOTICED_WITHIN;
    let answers = context.raw_within(message.into_bytes(), 1, Some(limit)).await?;
    had_room(&statuses(&answers))?;
    let expected = format!("408 request_timeout within {} s", limit.as_secs());
    let Some(answer) = answers.first() else {
        return Err(Halt::fail(expected, "no response"));
    };
    let code = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default()["code"].take();
    let is_right = answer.status == 408 && code == "request_timeout";
    ensure(is_right, expected, || format!("{} {code}", answer.status))
}
