//! Rewrites addresses of the server in headers to addresses of the proxy.

use http::header::{CONTENT_LOCATION, LINK, LOCATION};
use http::{HeaderMap, HeaderValue};

/// Characters that end an address in a header.
const ENDS: [char; 10] = ['/', '?', '#', '>', '<', '"', ',', ';', ' ', '\t'];

/// Origins and path prefix to rewrite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses<'server> {
    /// Origin at which the proxy reaches the server.
    pub(super) server_origin: &'server str,
    /// Path prefix of the server's API.
    pub(super) base_path: &'server str,
    /// Origin at which callers reach the proxy.
    pub(super) own_origin: &'server str,
}

impl Addresses<'_> {
    /// A client that follows an address of the server must come through the proxy again.
    pub(super) fn lead_through_edge(&self, headers: &mut HeaderMap) {
        for name in [LOCATION, CONTENT_LOCATION, LINK] {
            let values: Vec<HeaderValue> = headers.get_all(&name).iter().cloned().collect();
            headers.remove(&name);
            for value in values {
                let changed = value.to_str().ok().and_then(|text| HeaderValue::try_from(self.rewritten(text)).ok());
                headers.append(name.clone(), changed.unwrap_or(value));
            }
        }
    }

    /// Rewrites every address of the server in a text to one of the proxy.
    fn rewritten(&self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(colon) = rest.find("://") {
            let scheme = ["https", "http"].into_iter().find(|scheme| ends_with(&rest[..colon], scheme));
            let host = colon + 3;
            let end = rest[host..].find(ENDS).map_or(rest.len(), |length| host + length);
            match scheme.map(|scheme| colon - scheme.len()) {
                Some(start) if self.is_of_server(&rest[start..end], &rest[end..]) => {
                    written.push_str(&rest[..start]);
                    written.push_str(self.own_origin);
                }
                _ => written.push_str(&rest[..end]),
            }
            rest = &rest[end..];
        }
        written + rest
    }

    /// A server may use a public name for itself. Only the path of its API identifies such an address.
    fn is_of_server(&self, origin: &str, path: &str) -> bool {
        let within = path.strip_prefix(self.base_path).and_then(|path| path.strip_prefix("/api/v1"));
        origin.eq_ignore_ascii_case(self.server_origin)
            || within.is_some_and(|rest| rest.is_empty() || rest.starts_with(ENDS))
    }
}

fn ends_with(text: &str, end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    start.and_then(|start| text.get(start..)).is_some_and(|found| found.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::Addresses;

    #[test]
    fn addresses_of_the_server_lead_through_the_edge() {
        let addresses = Addresses { server_origin: "http://127.0.0.1:80", base_path: "/of", own_origin: "http://edge" };
        for (text, rewritten) in [
            ("HTTP://127.0.0.1:80/x", "http://edge/x"),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
            ("https://api.example/of/api/v1/jobs/a", "http://edge/of/api/v1/jobs/a"),
            ("https://api.example/of/api/v10", "https://api.example/of/api/v10"),
            ("https://api.example/api/v1/jobs/a", "https://api.example/api/v1/jobs/a"),
            (
                "<https://a/of/api/v1?b>; rel=\"next\", <https://docs/>; rel=\"help\", </of/api/v1>",
                "<http://edge/of/api/v1?b>; rel=\"next\", <https://docs/>; rel=\"help\", </of/api/v1>",
            ),
            ("/of/api/v1", "/of/api/v1"),
        ] {
            assert_eq!(addresses.rewritten(text), rewritten);
        }
    }
}
