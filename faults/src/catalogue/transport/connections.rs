//! Connections that return something other than a response. Each handles one request, so that every request meets the
//! fault.

use super::super::fault::{Fault, fault};
use crate::edge::ConnectionForm;

const ONE_REQUEST: ConnectionForm = ConnectionForm { title_case: false, closes: true, rewrite: None };
/// Size of headers at which a client may give up, in bytes.
const ENDLESS: usize = 1024 * 1024;

pub(super) const FAULTS: &[Fault] = &[
    fault("transport.no-answer", "A cancel closes the connection without a response.", &["jobs.unknown.not-found"])
        .connection(ONE_REQUEST)
        .bytes(|bytes| asks(bytes, "POST", "/cancel").then(Vec::new)),
    fault("transport.garbage", "The list of leads returns bytes that are not HTTP.", &["answers.list-leads.schema"])
        .connection(ONE_REQUEST)
        .bytes(|bytes| asks(bytes, "GET", "/leads").then(|| b"\x15\x03\x03\x00\x02\x02\x46 not HTTP\r\n\r\n".to_vec())),
    fault(
        "transport.headers-endless",
        "The headers of the list of scheduled posts never end.",
        &["answers.list-scheduled-posts.schema"],
    )
    .connection(ONE_REQUEST)
    .bytes(|bytes| asks(bytes, "GET", "/scheduled_posts").then(endless_headers)),
    fault("transport.headers-cut", "The connection closes within the headers of a job.", &["answers.get-job.schema"])
        .connection(ONE_REQUEST)
        .bytes(|bytes| {
            asks(bytes, "GET", "/jobs/").then(|| b"HTTP/1.1 200 OK\r\ncontent-type: application/js".to_vec())
        }),
];

/// Returns true if the request line has `method` and a path that contains `part`.
fn asks(bytes: &str, method: &str, part: &str) -> bool {
    let mut words = bytes.split(' ');
    words.next() == Some(method) && words.next().is_some_and(|path| path.contains(part))
}

fn endless_headers() -> Vec<u8> {
    let mut head = b"HTTP/1.1 200 OK\r\n".to_vec();
    while head.len() < ENDLESS {
        head.extend_from_slice(b"x-more: and more\r\n");
    }
    head
}
