//! The body of the reference: overview, operations by tag, hooks, tables, schemas, in this order.

use pulldown_cmark::HeadingLevel;

use super::edition::Edition;
use super::markup::{escape, markdown};
use super::navigation::capitalised;
use super::node::Node;
use super::operation::{Operation, Server, WEBHOOKS};
use super::{problem, schema, tables};

/// The title of the document.
pub(super) fn title(document: &Node) -> &str {
    document.get("info").and_then(|information| information.text("title")).unwrap_or("Reference")
}

/// The whole body.
pub(super) fn body(document: &Node, title: &str, edition: Edition, server: &Server<'_>) -> String {
    let information = document.get("info").unwrap_or(&Node::Null);
    let documents = edition.documents().iter().map(|name| format!(" · <a href=\"{name}\">{name}</a>"));
    let mut output = format!(
        "<header class=\"title\"><h1>{}</h1><p class=\"soft\">Version {}{}</p>\
         <label class=\"provenance\"><input type=\"checkbox\" id=\"show-provenance\"> Show where each part comes from</label></header>\
         <div class=\"prose\">{}</div>",
        escape(title),
        escape(information.text("version").unwrap_or_default()),
        documents.collect::<String>(),
        markdown(information.text("description").unwrap_or_default(), HeadingLevel::H1),
    );
    output.push_str(&chapter("servers", "Servers", &servers(document, server), ""));
    output.push_str(&chapter("scopes", "Authentication and scopes", &schemes(document), ""));
    let operations = Operation::of(document, "paths");
    for tag in document.items_of("tags") {
        let name = tag.text("name").unwrap_or_default();
        let sections: Vec<_> = operations
            .iter()
            .filter(|operation| operation.tag() == name)
            .map(|operation| operation.section(document, Some(server)))
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
    let events: Vec<_> = Operation::of(document, WEBHOOKS).iter().map(|event| event.section(document, None)).collect();
    output.push_str(&chapter("all-webhooks", "Webhooks", HOOKS, &events.concat()));
    output.push_str(&chapter("problems", "Problems", PROBLEMS, &problem::table(document, edition)));
    output.push_str(&chapter("all-limits", "Limits", LIMITS, &tables::limits(document)));
    output.push_str(&chapter("all-schemas", "Schemas", "", &schemas(document)));
    output
}

const HOOKS: &str = "The service sends these events to the endpoints that users register in the dashboard: a `POST` with a JSON body, \
signed as in Standard Webhooks 1.0.0. Respond with 2xx quickly and do the work afterwards. An event may arrive more than once, and events \
may arrive in any order.";
const PROBLEMS: &str = "Every error is one of these. Decide by the stable `code`, never by the text.";
const LIMITS: &str = "The limits of the service, except for the bounds of single fields. An operator may change the configurable ones. A \
service announces its quotas in `RateLimit-Policy`.";

fn chapter(anchor: &str, title: &str, introduction: &str, content: &str) -> String {
    format!(
        "<section class=\"chapter\" id=\"{}\"><h2>{}</h2><div class=\"prose\">{}</div>{content}</section>",
        escape(anchor),
        escape(title),
        markdown(introduction, HeadingLevel::H3)
    )
}

/// The servers of the document, and the variables that the commands need.
fn servers(document: &Node, server: &Server<'_>) -> String {
    let mut lines = Vec::new();
    for item in document.items_of("servers") {
        let description = item.text("description").unwrap_or_default();
        lines.push(format!("* `{}`: {description}", item.text("url").unwrap_or_default()));
        for (name, variable) in item.members_of("variables") {
            let default = variable.text("default").unwrap_or_default();
            let description = variable.text("description").unwrap_or_default();
            lines.push(format!("* `{name}`, by default `{default}`: {description}"));
        }
    }
    let variables = "export CONTENTGEN_API_KEY=…\nexport CONTENTGEN_WEBSITE_ID=web_…\n```";
    lines.push(if server.base_url.starts_with('$') {
        let address = "export CONTENTGEN_BASE_URL=http://127.0.0.1:8080";
        format!("\nThe commands need these variables. A demo server prints them.\n\n```sh\n{address}\n{variables}")
    } else {
        format!("\nThe commands call `{}`. They need these variables:\n\n```sh\n{variables}", server.base_url)
    });
    let others = "\nOther variables, such as `JOB_ID`, are ids from earlier responses. The Rust samples use the crate `contentgen-sdk`, with \
        `let client = contentgen_sdk::Client::from_env()?;` before them.";
    lines.push(others.to_owned());
    lines.join("\n")
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
