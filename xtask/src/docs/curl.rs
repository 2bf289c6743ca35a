//! The command line that calls an operation. Its words come from the document's examples.

use super::node::Node;
use super::operation::Operation;
use super::sample;

/// A `curl` command for an operation, ready to paste where `BASE_URL` is set, and `CONTENTGEN_API_KEY` if it needs a key.
pub(super) fn command(document: &Node, method: &str, path: &str, operation: &Node) -> String {
    let mut path = path.to_owned();
    for parameter in operation.items_of("parameters") {
        let parameter = document.resolve(parameter);
        if let (Some("path"), Some(name), Some(example)) =
            (parameter.text("in"), parameter.text("name"), parameter.text("example"))
        {
            path = path.replace(&format!("{{{name}}}"), example);
        }
    }
    let verb = if method == "post" { " -X POST" } else { "" };
    let mut lines = vec![format!("curl{verb} \"$BASE_URL{path}\"")];
    if !Operation::needs_no_key(operation) {
        lines.push("  -H \"Authorization: Bearer $CONTENTGEN_API_KEY\"".to_owned());
    }
    if let Some(content) = operation.get("requestBody").and_then(|body| body.get("content")?.get("application/json")) {
        lines.push("  -H 'Content-Type: application/json'".to_owned());
        let first = content.members_of("examples").first().and_then(|(_, example)| example.get("value"));
        if let Some(example) = content.get("example").or(first) {
            lines.push(format!("  -d '{}'", sample::line(example).replace('\'', "'\\''")));
        }
    }
    lines.join(" \\\n")
}
