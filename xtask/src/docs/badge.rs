//! Marks that show where a part of the document comes from. The document's description explains them.

use super::markup::escape;
use super::node::Node;

/// Renders the provenance of an operation, a schema or a property as small marks. Readers see them only on request.
pub(super) fn provenance(part: &Node) -> String {
    let source = part.text("x-source");
    let main = match part.text("x-provenance") {
        Some("documented") => mark(
            "documented",
            "documented",
            &format!("Stated by the service description, section {}", source.unwrap_or("?")),
        ),
        _ if part.text("x-capability") == Some("documented") => {
            let title = format!(
                "The service description promises this (section {}); its shape is an extension",
                source.unwrap_or("?")
            );
            mark("capability", "capability documented", &title)
        }
        _ => String::new(),
    };
    let follows =
        part.text("x-follows").map(|name| mark("follows", name, &format!("Follows {name}"))).unwrap_or_default();
    format!("{main}{follows}")
}

fn mark(class: &str, text: &str, title: &str) -> String {
    format!(r#"<span class="mark {class}" title="{}">{}</span>"#, escape(title), escape(text))
}
