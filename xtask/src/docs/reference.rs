//! The body of the reference: overview, operations by tag, hooks, tables, schemas, in this order.

use pulldown_cmark::HeadingLevel;

use super::edition::Edition;
use super::markup::{escape, markdown};
use super::navigation::capitalised;
use super::node::Node;
use super::operation::Operation;
use super::{problem, schema, tables};

/// The title of the document.
pub(super) fn title(document: &Node) -> &str {
    document.get("info").and_then(|information| information.text("title")).unwrap_or("Reference")
}

/// The whole body.
pub(super) fn body(document: &Node, edition: Edition) -> String {
    let information = document.get("info").unwrap_or(&Node::Null);
    let documents = edition.documents().iter().map(|name| format!(" · <a href=\"{name}\">{name}</a>"));
    let mut output = format!(
        "<header class=\"title\"><h1>{}</h1><p class=\"soft\">Version {}{}</p>\
         <label class=\"provenance\"><input type=\"checkbox\" id=\"show-provenance\"> Show where each part comes from</label></header>\
         <div class=\"prose\">{}</div>",
        escape(title(document)),
        escape(information.text("version").unwrap_or_default()),
        documents.collect::<String>(),
        markdown(information.text("description").unwrap_or_default(), HeadingLevel::H1),
    );
    let operations = Operation::of(document, "paths");
    for tag in document.items_of("tags") {
        let name = tag.text("name").unwrap_or_default();
        let sections: Vec<_> = operations
            .iter()
            .filter(|operation| operation.tag() == name)
            .map(|operation| operation.section(document, true))
            .collect();
        if !sections.is_empty() {
            output.push_str(&chapter(
                &format!("group-{}", name.replace(' ', "-")),
                &capitalised(name),
                tag.text("description").unwrap_or_default(),
                &sections.concat(),
            ));
        }
    }
    let events: Vec<_> =
        Operation::of(document, "x-webhooks").iter().map(|event| event.section(document, false)).collect();
    output.push_str(&chapter("all-hooks", "Hooks", HOOKS, &events.concat()));
    output.push_str(&chapter("scopes", "Keys and scopes", &schemes(document), ""));
    output.push_str(&chapter("problems", "Problems", PROBLEMS, &problem::table(document, edition)));
    output.push_str(&chapter("all-limits", "Limits", LIMITS, &tables::limits(document)));
    output.push_str(&chapter("all-schemas", "Schemas", "", &schemas(document)));
    output
}

const HOOKS: &str = "What the service sends to the endpoints that are registered in the dashboard: a `POST` with a JSON body, signed as Standard \
Webhooks 1.0.0 says. Answer 2xx quickly and do the work afterwards; the same event may arrive more than once, and in any order.";
const PROBLEMS: &str = "Every error is one of these. The `code` is stable: decide by it, never by the words.";
const LIMITS: &str = "Every limit of the service. An operator may change the configurable ones; a service announces its quotas in \
`RateLimit-Policy`.";

fn chapter(anchor: &str, title: &str, introduction: &str, content: &str) -> String {
    format!(
        "<section class=\"chapter\" id=\"{}\"><h2>{}</h2><div class=\"prose\">{}</div>{content}</section>",
        escape(anchor),
        escape(title),
        markdown(introduction, HeadingLevel::H3)
    )
}

/// The descriptions of the security schemes.
fn schemes(document: &Node) -> String {
    let schemes =
        document.get("components").map(|components| components.members_of("securitySchemes")).unwrap_or_default();
    schemes.iter().filter_map(|(_, scheme)| scheme.text("description")).collect::<Vec<_>>().join("\n\n")
}

fn schemas(document: &Node) -> String {
    let named = document.get("components").map(|components| components.members_of("schemas")).unwrap_or_default();
    named.iter().map(|(name, part)| schema::section(name, part)).collect::<Vec<_>>().concat()
}
