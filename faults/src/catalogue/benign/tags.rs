//! Entity tags in another form.

use http::HeaderValue;

use super::super::fault::{Fault, Profile, variant};
use crate::message::Request;

/// Prefix of each tag.
const BEGIN: &str = "\"gen,7;";

pub(super) const FAULTS: &[Fault] =
    &[variant("benign.other-tags", "Entity tags are long and contain a comma.", Profile::Full)
        .request(|request, _| request_of_server(request))
        .response(|response, _, _| response.change("etag", |tag| tag.replacen('"', BEGIN, 1)))];

/// Tags in the server's form, which it never shows.
fn request_of_server(request: &mut Request) {
    let lines: Vec<HeaderValue> = request.headers.get_all("if-none-match").iter().cloned().collect();
    request.remove("if-none-match");
    for line in lines {
        let known = line.to_str().ok().and_then(|line| HeaderValue::from_str(&line.replace(BEGIN, "\"")).ok());
        request.headers.append("if-none-match", known.unwrap_or(line));
    }
}
