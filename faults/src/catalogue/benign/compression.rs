//! Gateways that compress responses, and change their entity tags: "A gateway that compresses the response may weaken, change or remove
//! it."

use super::super::fault::{Fault, Profile, variant};
use super::caching::{SUFFIX, edit_held, suffixed};
use crate::message::{Request, Response};

/// Maximum length of a block of bytes that are not compressed (RFC 1951, section 3.2.4).
const BLOCK: usize = 0xffff;

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.gzip-weak-tags",
        "A gateway compresses for clients that accept gzip, and weakens the entity tags: RFC 9110 8.8.3 describes weak tags.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if compress(response, request) {
            response.change("etag", |tag| format!("W/{}", tag.trim_start_matches("W/")));
        }
    }),
    variant(
        "benign.gzip-tags-suffixed",
        "A gateway compresses for clients that accept gzip, appends -gzip to the entity tags, and removes it from conditions.",
        Profile::Full,
    )
    .request(|request, _| {
        if accepts_gzip(request) {
            edit_held(request, |line| line.replace(SUFFIX, "\""));
        }
    })
    .response(|response, request, _| {
        let is_known = response.status == 304 && accepts_gzip(request);
        if compress(response, request) || is_known {
            response.change("etag", suffixed);
        }
    }),
    variant(
        "benign.gzip-tags-unknown",
        "A gateway compresses for clients that accept gzip, and appends -gzip to the entity tags: conditions get the full response.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if compress(response, request) {
            response.change("etag", suffixed);
        }
    }),
    variant(
        "benign.gzip-without-tags",
        "A gateway compresses for clients that accept gzip, and removes the entity tags.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if compress(response, request) {
            response.remove("etag");
        }
    }),
];

fn accepts_gzip(request: &Request) -> bool {
    request.header("accept-encoding").is_some_and(|codings| codings.contains("gzip"))
}

/// Compresses the body of a success if the client accepts that. Returns true if it did.
fn compress(response: &mut Response, request: &Request) -> bool {
    let is_compressed = accepts_gzip(request) && response.is_success() && !response.body.is_empty();
    if is_compressed {
        response.body = gzip(&response.body).into();
        response.set("content-encoding", "gzip");
        response.append("vary", "Accept-Encoding");
    }
    is_compressed
}

/// Writes the format of gzip (RFC 1952) with blocks that are not compressed: a reader sees no difference.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut written = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let mut blocks = bytes.chunks(BLOCK).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        written.push(u8::from(blocks.peek().is_none()));
        written.extend(length.to_le_bytes());
        written.extend((!length).to_le_bytes());
        written.extend_from_slice(block);
    }
    written.extend(checksum(bytes).to_le_bytes());
    written.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    written
}

/// Returns the checksum of gzip (RFC 1952, section 8).
fn checksum(bytes: &[u8]) -> u32 {
    let shift = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| shift(sum)))
}

#[cfg(test)]
mod tests {
    use super::{checksum, gzip};

    #[test]
    fn bytes_have_the_format_of_gzip() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        let end = [0x26, 0x39, 0xf4, 0xcb, 9, 0, 0, 0];
        assert_eq!(gzip(b"123456789"), [&head[..], &[1, 9, 0, 0xf6, 0xff], b"123456789", &end].concat());
        let long = gzip(&vec![7; 0x1_0000]);
        assert_eq!((long[10], long.len()), (0, 10 + 2 * 5 + 0x1_0000 + 8), "the first of two blocks is not the last");
    }
}
