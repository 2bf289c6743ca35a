//! The command line that calls an operation. Its words come from the document's examples.

use super::node::Node;
use super::operation::Operation;
use super::sample;

/// Returns a `curl` command for an operation. `base_url` is the address of a server, or a shell variable with it. The key, the website
/// and the ids of the path are shell variables, so that the command runs unchanged once they are set.
pub(super) fn command(document: &Node, base_url: &str, operation: &Operation<'_>) -> String {
    let mut path = operation.path.to_owned();
    for parameter in operation.node.items_of("parameters") {
        let parameter = document.resolve(parameter);
        if let (Some("path"), Some(name)) = (parameter.text("in"), parameter.text("name")) {
            path = path.replace(&format!("{{{name}}}"), &format!("${}", variable(operation.path, name)));
        }
    }
    let verb = match operation.method {
        "get" => String::new(),
        method => format!(" -X {}", method.to_uppercase()),
    };
    let mut lines = vec![format!("curl{verb} \"{base_url}{path}\"")];
    if !Operation::needs_no_key(operation.node) {
        lines.push("  -H \"Authorization: Bearer $CONTENTGEN_API_KEY\"".to_owned());
    }
    let body = operation.node.get("requestBody").and_then(|body| body.get("content")?.get("application/json"));
    if let Some(content) = body {
        lines.push("  -H 'Content-Type: application/json'".to_owned());
        let first = content.members_of("examples").first().and_then(|(_, example)| example.get("value"));
        if let Some(example) = content.get("example").or(first) {
            lines.push(format!("  -d '{}'", with_own_website(example)));
        }
    }
    lines.join(" \\\n")
}

/// Returns the shell variable for a parameter of a path: `JOB_ID` for `job_id`, `ARTICLE_ID` for `id` below `/articles/`.
pub(super) fn variable(path: &str, name: &str) -> String {
    match name {
        "website_id" => "CONTENTGEN_WEBSITE_ID".to_owned(),
        "id" => {
            let list = path.split("/{id}").next().and_then(|list| list.rsplit('/').next()).unwrap_or_default();
            format!("{}_ID", list.trim_end_matches('s').to_uppercase())
        }
        name => name.to_uppercase(),
    }
}

/// Returns a body for a shell's single quotes, with the website of the variable in place of the example's.
fn with_own_website(example: &Node) -> String {
    let line = sample::line(example).replace('\'', "'\\''");
    match example.text("website_id") {
        Some(website) => line.replace(website, "'\"$CONTENTGEN_WEBSITE_ID\"'"),
        None => line,
    }
}
