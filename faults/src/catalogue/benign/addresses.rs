//! Equivalent forms of addresses in headers.

use super::super::fault::{Fault, Profile, variant};
use super::super::state::records::is_read;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Headers with one address of a record.
const NAMES: [&str; 2] = ["location", "content-location"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.relative",
        "Location, Content-Location and Link are relative to the path of the request, as RFC 3986 4.2 allows.",
        Profile::Full,
    )
    .response(relative),
    variant(
        "benign.encoded-addresses",
        "Location and Content-Location percent-encode punctuation in ids: RFC 3986 6.2.2.2 makes both equivalent.",
        Profile::Full,
    )
    .response(|response, _, _| NAMES.iter().for_each(|name| response.change(name, encode_marks))),
];

fn relative(response: &mut Response, request: &Request, _: &Memory) {
    if is_read(response, request, Operation::Generate) {
        response.change("location", |address| format!("jobs/{}", last_segment(address)));
    }
    response.change("content-location", |address| format!("./{}", last_segment(address)));
    if request.operation().is_some_and(Operation::is_list) && response.is_success() {
        let own = format!("<{}?", request.public_path());
        response.change("link", |link| link.replace(&own, "<?"));
    }
}

fn last_segment(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or_default()
}

/// Percent-encodes the punctuation of an address's last segment, although it need not be.
fn encode_marks(address: &str) -> String {
    let (begin, last) = address.split_at(address.len() - last_segment(address).len());
    let last = last.replace('-', "%2D").replace('_', "%5F").replace('~', "%7E");
    // A single dot would change the path.
    format!("{begin}{}", if last.contains(|letter| letter != '.') { last.replace('.', "%2e") } else { last })
}

#[cfg(test)]
mod tests {
    use super::encode_marks;

    #[test]
    fn marks_of_the_last_segment_are_encoded() {
        assert_eq!(encode_marks("/api/v1/jobs_x/job_1-a.b~c%20"), "/api/v1/jobs_x/job%5F1%2Da%2eb%7Ec%20");
        assert_eq!(encode_marks("jobs"), "jobs");
    }
}
