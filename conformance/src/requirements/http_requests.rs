//! Requests that are a little unusual and entirely valid: large headers, chunked bodies, other wishes.
//!
//! What is malformed is in `http_raw`.

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::http_raw::{Place, place, statuses};
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Verdict, ensure};

const RAW: &[Capability] = &[Capability::RawConnection];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.raw.headers-within",
            "A header block of 12 KiB is accepted, one of 17 KiB refused with 431.",
            "RFC 6585, section 5; openapi.yaml, x-limits header_block",
            headers,
        )
        .needs(RAW),
        Requirement::must(
            "http.raw.chunked",
            "A body in chunks, without Content-Length, is read like any other.",
            "RFC 9112, section 7.1",
            chunked,
        )
        .needs(RAW),
        Requirement::must(
            "http.accept.disregarded",
            "A request that would rather have another media type is answered all the same: no operation names a 406.",
            "RFC 9110, section 12.5.1; openapi.yaml, responses",
            accept,
        ),
    ]
}

async fn headers(context: Context, _: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    for (kilobytes, wanted) in [(12, 200), (17, 431)] {
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

async fn accept(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").header("accept", "application/xml");
    demand::status(&*context.send(request).await?, 200)
}
