//! The marks that tell where a part of the document comes from. What they mean is told by the document's own description.

use super::markup::escape;
use super::node::Node;

/// The provenance of an operation, a schema or a property, as small marks.
pub(super) fn provenance(part: &Node) -> String {
    let source = part.text("x-source");
    let main = match part.text("x-provenance") {
        Some("documented") => mark(
            "documented",
            "documented",
            &format!("Stated by the service description, section {}", source.unwrap_or("?")),
        ),
        Some(_) if part.text("x-capability") == Some("documented") => {
            let title = format!(
                "The service description promises this (section {}); its shape is an extension",
                source.unwrap_or("?")
            );
            mark("capability", "capability documented", &title)
        }
        Some(_) => mark("extension", "extension", "Not in the service description"),
        None => String::new(),
    };
    let follows =
        part.text("x-follows").map(|name| mark("follows", name, &format!("Follows {name}"))).unwrap_or_default();
    format!("{main}{follows}")
}

fn mark(class: &str, text: &str, title: &str) -> String {
    format!(r#"<span class="mark {class}" title="{}">{}</span>"#, escape(title), escape(text))
}
