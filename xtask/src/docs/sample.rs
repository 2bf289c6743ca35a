//! Renders examples as highlighted JSON.

use serde_json::Value;

use super::markup::escape;
use super::node::Node;

/// A node as indented JSON with its kinds of values marked, in the order of the document.
pub(super) fn block(node: &Node) -> String {
    let mut output = String::from("<pre class=\"code\"><code>");
    write(node, 0, &mut output);
    output.push_str("</code></pre>");
    output
}

/// A node as JSON on one line, for a command line.
pub(super) fn line(node: &Node) -> String {
    match node {
        Node::Map(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{}:{}", quoted(name), line(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Node::List(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(",")),
        Node::Text(text) => quoted(text),
        scalar => scalar.plain(),
    }
}

fn write(node: &Node, level: usize, output: &mut String) {
    match node {
        Node::Map(members) if members.is_empty() => output.push_str("{}"),
        Node::List(items) if items.is_empty() => output.push_str("[]"),
        Node::Map(members) => {
            output.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                begin_line(index, level + 1, output);
                output.extend(["<span class=\"name\">", &escape(&quoted(name)), "</span>: "]);
                write(value, level + 1, output);
            }
            end_block('}', level, output);
        }
        Node::List(items) => {
            output.push('[');
            for (index, value) in items.iter().enumerate() {
                begin_line(index, level + 1, output);
                write(value, level + 1, output);
            }
            end_block(']', level, output);
        }
        Node::Text(text) => output.extend(["<span class=\"text\">", &escape(&quoted(text)), "</span>"]),
        scalar => output.extend(["<span class=\"value\">", &escape(&scalar.plain()), "</span>"]),
    }
}

fn begin_line(index: usize, level: usize, output: &mut String) {
    output.push_str(if index == 0 { "\n" } else { ",\n" });
    output.push_str(&"  ".repeat(level));
}

fn end_block(bracket: char, level: usize, output: &mut String) {
    output.push('\n');
    output.push_str(&"  ".repeat(level));
    output.push(bracket);
}

/// A string as JSON writes it.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
