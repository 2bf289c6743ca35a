//! The parts of the edition that are not schemas: version, license, webhooks, scopes.

use anyhow::{Context as _, Result, ensure};

use super::schema::Schemas;
use crate::node::Node;

/// OpenAPI version of the edition.
const VERSION: &str = "3.1.0";
/// Entries of `x-webhooks` that are not events: any event, and an event of a later type.
const NO_EVENTS: [&str; 2] = ["*", "unknown"];
/// Fields whose values are data and contain no part of the document.
const DATA: [&str; 6] = ["default", "enum", "example", "examples", "links", "value"];

/// Returns the edition for the text of a document, as JSON with the document's order.
///
/// # Errors
///
/// Returns an error if the text is not OpenAPI 3.0, or has a schema keyword that has no translation yet.
pub fn openapi_3_1(text: &str) -> Result<String> {
    // Generators cannot read an `allOf` in which one part narrows a property of another, as the events do.
    let document = Node::parse(text)?.composed();
    let version = document.text("openapi").unwrap_or_default();
    ensure!(version.starts_with("3.0."), "the document is not OpenAPI 3.0; `openapi` says {version:?}");
    let edition = Edition { document: &document, schemas: Schemas::of(&document) };
    let json = serde_json::to_string_pretty(&edition.root()?).context("the edition cannot be written as JSON")?;
    Ok(json + "\n")
}

/// The document, and the translator of its schemas.
struct Edition<'a> {
    document: &'a Node,
    schemas: Schemas<'a>,
}

impl Edition<'_> {
    fn root(&self) -> Result<Node> {
        let mut members = Vec::new();
        for (name, value) in self.document.members() {
            members.push(match name.as_str() {
                "openapi" => (name.clone(), Node::Text(VERSION.to_owned())),
                "info" => (name.clone(), information(value)),
                "x-webhooks" => ("webhooks".to_owned(), self.part(&events(value))?),
                "paths" | "components" => (name.clone(), self.part(value)?),
                _ => (name.clone(), value.clone()),
            });
        }
        Ok(Node::Map(members))
    }

    /// Returns a part outside of schemas, with the schemas in it translated.
    fn part(&self, part: &Node) -> Result<Node> {
        match part {
            Node::Map(members) => {
                let mut translated = Vec::new();
                for (name, value) in members {
                    let value = match name.as_str() {
                        "schema" => self.schemas.translate(value).context("a `schema`")?,
                        "schemas" => self.schemas.components(value)?,
                        name if DATA.contains(&name) || name.starts_with("x-") => value.clone(),
                        _ => self.part(value)?,
                    };
                    translated.push((name.clone(), value));
                }
                if let Some(security) = self.security(part) {
                    let place = translated.iter().position(|(name, _)| name == "x-required-scope");
                    translated.insert(place.unwrap_or_default(), ("security".to_owned(), security));
                }
                Ok(Node::Map(translated))
            }
            Node::List(items) => Ok(Node::List(items.iter().map(|item| self.part(item)).collect::<Result<_>>()?)),
            scalar => Ok(scalar.clone()),
        }
    }

    /// Returns the document's security with the scope of an operation; `None` for an operation that names its security or needs no scope.
    fn security(&self, operation: &Node) -> Option<Node> {
        let scope = operation.get("x-required-scope").filter(|_| operation.get("security").is_none())?;
        let ways = self.document.items_of("security").iter().map(|way| {
            let schemes = way.members().iter().map(|(name, _)| (name.clone(), Node::List(vec![scope.clone()])));
            Node::Map(schemes.collect())
        });
        Some(Node::List(ways.collect()))
    }
}

/// Returns the webhooks that are real events.
fn events(webhooks: &Node) -> Node {
    Node::Map(webhooks.members().iter().filter(|(name, _)| !NO_EVENTS.contains(&name.as_str())).cloned().collect())
}

/// Returns `info` with an SPDX expression as license, and without the parts of the description that apply only to 3.0.
fn information(information: &Node) -> Node {
    let members = information.members().iter().map(|(name, value)| match (name.as_str(), value) {
        ("license", license) => {
            let expression = license.get("name").cloned().unwrap_or(Node::Null);
            let members = [("name".to_owned(), expression.clone()), ("identifier".to_owned(), expression)];
            (name.clone(), Node::Map(members.into()))
        }
        ("description", Node::Text(text)) => (name.clone(), Node::Text(description(text))),
        _ => (name.clone(), value.clone()),
    });
    Node::Map(members.collect())
}

/// Returns the description with the names of 3.1, without the convention on `nullable`, which 3.1 does not have.
fn description(text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !line.starts_with("* `nullable: true`"));
    lines.collect::<String>().replace("`x-webhooks`", "`webhooks`")
}
