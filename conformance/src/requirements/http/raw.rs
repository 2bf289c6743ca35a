//! Bytes on the wire: malformed requests, oversized headers, chunks, several requests on one connection.

use serde_json::{Value, json};

use crate::check::{
    Capability, Cases, Context, Halt, RawAnswer, Request, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps;
use crate::steps::draws::index_of;
use crate::strategies::Space;

const RAW: &[Capability] = &[Capability::RAW_CONNECTION];

const SOURCE: &str = "RFC 9112; openapi.yaml, x-problem-codes";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.raw.malformed",
            "Malformed HTTP is answered 4xx, 501 or 505, or the connection is closed; it is never carried out, and the server goes on.",
            SOURCE,
            malformed,
        )
        .needs(RAW)
        .drawn("malformed request heads", Cases::Exactly(9), |_, draw| json!(draw.index())),
        Requirement::must(
            "http.raw.headers-too-large",
            "A header block over 16 KiB is answered 431.",
            "RFC 6585, section 5; openapi.yaml, x-limits",
            headers_too_large,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| header_block(space))
        .needs(RAW),
        Requirement::must(
            "http.raw.keep-alive",
            "Several requests on one connection are answered in order, until an answer announces Connection: close.",
            "RFC 9112, section 9.3",
            keep_alive,
        )
        .needs(RAW),
        Requirement::must(
            "http.raw.smuggling",
            "A request with both Content-Length and Transfer-Encoding is not treated as two requests.",
            "RFC 9112, section 6.3",
            smuggling,
        )
        .should()
        .needs(RAW),
        Requirement::must(
            "http.raw.headers-within",
            "A header block of 12 KiB is accepted, one of 17 KiB is answered 431.",
            "RFC 6585, section 5; openapi.yaml, x-limits header_block",
            headers,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| header_block(space))
        .needs(RAW),
        Requirement::must(
            "http.raw.chunked",
            "A chunked body, without Content-Length, is accepted like any other.",
            "RFC 9112, section 7.1",
            chunked,
        )
        .needs(RAW),
    ]
}

/// How large a header block may be, in bytes.
fn header_block(space: &Space) -> Value {
    json!(space.document().limit_number("header_block", "maximum"))
}

/// Where raw requests go: what stands in `Host`, and the path of the base URL, which every path begins with.
pub(super) struct Place {
    pub(super) host: String,
    pub(super) base: String,
}

pub(super) fn place(context: &Context) -> Result<Place, Halt> {
    let url = url::Url::parse(&context.facts().base_url).map_err(|error| Halt::Error(error.to_string()))?;
    let port = url.port_or_known_default().unwrap_or(80);
    let host = format!("{}:{port}", url.host_str().unwrap_or("localhost"));
    Ok(Place { host, base: url.path().trim_end_matches('/').to_owned() })
}

/// The statuses of answers, in order.
fn statuses(answers: &[RawAnswer]) -> Vec<u16> {
    answers.iter().map(|answer| answer.status).collect()
}

/// A well-formed request that is sent in the same way, byte by byte, is answered 200.
async fn understood(context: &Context) -> Verdict {
    let Place { host, base } = place(context)?;
    let head = format!(
        "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nConnection: close\r\n\r\n"
    );
    let ask = async { Ok(json!(statuses(&context.raw(head.into_bytes(), 1).await?))) };
    let seen = context.asked_once("a well-formed request", Box::pin(ask)).await?;
    ensure_met(seen == json!([200]), format!("a well-formed request, sent byte by byte, was answered {seen}"))
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
        ensure((400..600).contains(&status) && status != 500, "a 4xx, 501 or 505, or nothing", || status.to_string())?;
    }
    let alive = context.send(Request::new("get_article", "GET", "/articles/art_x")).await?;
    ensure(alive.status < 500, "a server that goes on", || demand::seen(&alive))?;
    understood(&context).await
}

async fn headers_too_large(context: Context, limit: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let padding = "p".repeat(1_000);
    let headers = (0..index_of(&limit) / 400)
        .fold(String::new(), |headers, number| headers + &format!("X-Padding-{number}: {padding}\r\n"));
    let head = format!(
        "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\n{headers}\r\n"
    );
    let answer = context.raw(head.into_bytes(), 1).await?;
    let seen = statuses(&answer);
    ensure(seen.first() == Some(&431), "status 431", || format!("{seen:?}"))?;
    understood(&context).await
}

async fn keep_alive(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let get = |path: &str| format!("GET {base}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let all = [get("/api/v1/nothing"), get("/api/v1/websites"), get("/api/v1/nothing")].concat();
    let answer = context.raw(all.into_bytes(), 3).await?;
    let seen = statuses(&answer);
    let is_closed = answer.iter().any(RawAnswer::announces_end);
    let holds = seen == [404, 401, 404] || (is_closed && !seen.is_empty() && [404, 401, 404].starts_with(&seen));
    ensure(holds, "404, 401 and 404 in this order, or fewer and Connection: close", || format!("{seen:?}"))?;
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
    ensure(!smuggled, "no answer to the request inside the body", || format!("{seen:?}"))?;
    understood(&context).await
}

async fn headers(context: Context, limit: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let limit = index_of(&limit) / 1024;
    for (kilobytes, wanted) in [(limit.saturating_sub(4), 200), (limit + 1, 431)] {
        let padding = "p".repeat(1_000);
        let padding =
            (0..kilobytes).fold(String::new(), |all, number| all + &format!("X-Pad-{number:02}: {padding}12345\r\n"));
        let head = format!(
            "GET {base}/api/v1/websites HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nConnection: close\r\n{padding}\r\n"
        );
        let answer = context.raw(head.into_bytes(), 1).await?;
        let seen = statuses(&answer);
        ensure(seen.first() == Some(&wanted), format!("status {wanted} for {kilobytes} KiB of headers"), || {
            format!("{seen:?}")
        })?;
    }
    Ok(())
}

async fn chunked(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let body = steps::quiet_request(&context, "Sending it in pieces").to_string();
    // What is not ASCII would be counted otherwise.
    let (first, second) = body.split_at(body.len() / 2);
    let message = format!(
        "POST {base}/api/v1/generate HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{first}\r\n{:X}\r\n{second}\r\n0\r\n\r\n",
        first.len(),
        second.len()
    );
    let answer = context.raw(message.into_bytes(), 1).await?;
    let seen = statuses(&answer);
    ensure(seen.first() == Some(&202), "status 202", || format!("{seen:?}"))
}
