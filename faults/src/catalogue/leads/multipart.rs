//! Reading and changing of lead forms as `multipart/form-data` (RFC 7578).

use crate::message::{Operation, Request};

/// One part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Header block.
    pub(super) head: String,
    pub(super) content: String,
}

impl Part {
    /// Returns a parameter of `Content-Disposition`.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.head.split_once(&format!("; {name}=\""))?;
        Some(rest.split_once('"')?.0)
    }
}

/// Returns true if the request is a lead form as multipart/form-data.
pub(super) fn is_multipart(request: &Request) -> bool {
    let media_type = request.header("content-type").unwrap_or_default().to_ascii_lowercase();
    request.is(Operation::CaptureLead) && media_type.starts_with("multipart/form-data")
}

/// Returns the parts of a complete form.
pub(super) fn parts(request: &Request) -> Option<Vec<Part>> {
    let (boundary, body) = (boundary(request)?, std::str::from_utf8(&request.body).ok()?);
    let (inner, _) = body.strip_prefix(&format!("--{boundary}\r\n"))?.rsplit_once(&format!("\r\n--{boundary}--"))?;
    let separator = format!("\r\n--{boundary}\r\n");
    let parts = inner.split(&separator).map(|part| {
        let (head, content) = part.split_once("\r\n\r\n")?;
        Some(Part { head: head.to_owned(), content: content.to_owned() })
    });
    parts.collect()
}

/// Changes the parts of a complete form.
pub(super) fn edit_parts(request: &mut Request, edit: impl FnOnce(&mut Vec<Part>)) {
    let (Some(before), Some(boundary)) = (parts(request), boundary(request)) else { return };
    let mut parts = before.clone();
    edit(&mut parts);
    if parts != before {
        let written = parts.iter().map(|part| format!("--{boundary}\r\n{}\r\n\r\n{}\r\n", part.head, part.content));
        request.body = format!("{}--{boundary}--\r\n", written.collect::<String>()).into();
    }
}

fn boundary(request: &Request) -> Option<String> {
    let (_, boundary) = request.header("content-type").filter(|_| is_multipart(request))?.split_once("boundary=")?;
    Some(boundary.trim_matches('"').to_owned())
}
