//! Lead forms as `multipart/form-data`, which may have files (RFC 7578).

use super::lead_form;
use crate::check::{Context, Halt, Request};

/// Boundary between the parts.
const BOUNDARY: &str = "form-of-the-suite-5b0c";

/// One part of a form.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    name: String,
    /// Name of the file; empty if the user chose none.
    file: Option<&'static str>,
    content: String,
}

impl Part {
    /// Returns a field with a text.
    pub(crate) fn text(name: &str, content: &str) -> Self {
        Self { name: name.to_owned(), file: None, content: content.to_owned() }
    }

    /// Returns a field for a file.
    pub(crate) fn file(name: &str, file: &'static str, content: &str) -> Self {
        Self { name: name.to_owned(), file: Some(file), content: content.to_owned() }
    }
}

/// Returns a request that sends these parts to the form of the website under test.
pub(crate) fn request(context: &Context, parts: &[Part]) -> Result<Request, Halt> {
    let mut body = String::new();
    for Part { name, file, content } in parts {
        let file = file.map_or_else(String::new, |file| {
            format!("; filename=\"{file}\"\r\nContent-Type: application/octet-stream")
        });
        let part =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n");
        body.push_str(&part);
    }
    body.extend(["--", BOUNDARY, "--\r\n"]);
    let request = lead_form::request(context, "POST", &context.facts().website_id)?;
    Ok(request.bytes(&format!("multipart/form-data; boundary={BOUNDARY}"), body.into_bytes()))
}
