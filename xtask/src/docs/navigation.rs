//! The list of sections at the side of every page.

use super::guide::Guide;
use super::markup::{escape, headings};
use super::node::Node;
use super::operation::{Operation, WEBHOOKS};

/// The side list. `up` leads from the page to the folder of the reference; it is empty on the reference itself.
pub(super) fn list(document: &Node, guides: &[(&str, Vec<Guide>)], up: &str) -> String {
    let home = if up.is_empty() { String::new() } else { format!("{up}index.html") };
    let mut output = String::new();
    for (title, guides) in guides {
        let entries: Vec<_> =
            guides.iter().map(|guide| entry(&format!("{up}guides/{}.html", guide.name), &guide.title, "")).collect();
        output.push_str(&group(title, &entries));
    }
    let description = document.get("info").and_then(|info| info.text("description")).unwrap_or_default();
    let overview: Vec<_> =
        headings(description).iter().map(|(heading, anchor)| entry(&format!("{home}#{anchor}"), heading, "")).collect();
    let chapters = [("servers", "Servers"), ("scopes", "Authentication and scopes")];
    let chapters = chapters.map(|(anchor, title)| entry(&format!("{home}#{anchor}"), title, ""));
    output.push_str(&group("Overview", &overview.into_iter().chain(chapters).collect::<Vec<_>>()));
    let operations = Operation::of(document, "paths");
    for tag in document.items_of("tags") {
        let name = tag.text("name").unwrap_or_default();
        let entries: Vec<_> = operations
            .iter()
            .filter(|operation| operation.tag() == name)
            .map(|operation| operation_entry(&home, operation))
            .collect();
        output.push_str(&group(&capitalised(name), &entries));
    }
    let events: Vec<_> = Operation::of(document, WEBHOOKS).iter().map(|event| event_entry(&home, event)).collect();
    output.push_str(&group("Webhooks", &events));
    output.push_str(&group(
        "Tables",
        &[entry(&format!("{home}#problems"), "Problems", ""), entry(&format!("{home}#all-limits"), "Limits", "")],
    ));
    let schemas = document.get("components").map(|components| components.members_of("schemas")).unwrap_or_default();
    let schemas: Vec<_> = schemas.iter().map(|(name, _)| entry(&format!("{home}#schema-{name}"), name, "")).collect();
    output.push_str(&group("Schemas", &schemas));
    output
}

fn operation_entry(home: &str, operation: &Operation<'_>) -> String {
    let label = operation.node.text("summary").unwrap_or_default();
    let method = format!("<span class=\"method {0}\">{1}</span>", operation.method, operation.method.to_uppercase());
    entry(&format!("{home}#{}", operation.id()), label, &method)
}

fn event_entry(home: &str, event: &Operation<'_>) -> String {
    entry(&format!("{home}#{}", event.id()), event.node.text("summary").unwrap_or(event.path), "")
}

fn entry(address: &str, label: &str, mark: &str) -> String {
    format!("<li><a href=\"{}\">{mark}{}</a></li>", escape(address), escape(label))
}

fn group(title: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    format!("<section><h2>{}</h2><ul>{}</ul></section>", escape(title), entries.concat())
}

/// A tag as a title.
pub(super) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}
