//! The table of limits in the reference. For problems see `problem`.

use super::markup::{escape, inline};
use super::node::Node;

/// Every limit with its value.
pub(super) fn limits(document: &Node) -> String {
    let rows: Vec<_> = document.members_of("x-limits").iter().map(|(name, limit)| limit_row(name, limit)).collect();
    format!(
        "<div class=\"wide\"><table class=\"grid\"><thead><tr><th>Limit</th><th>Value</th><th>What</th></tr></thead><tbody>{}</tbody></table></div>",
        rows.concat()
    )
}

fn limit_row(name: &str, limit: &Node) -> String {
    let least = limit.get("minimum").map(Node::plain);
    let most = limit.get("maximum").map(Node::plain);
    let value = match (least, most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, most) => most.unwrap_or_default(),
    };
    let unit = limit.text("unit").unwrap_or_default().replace('_', " ");
    let window = limit.get("window_seconds").map(|seconds| format!(" in {} s", seconds.plain())).unwrap_or_default();
    let configurable =
        if limit.is_true("configurable") { " <span class=\"mark fact\">configurable</span>" } else { "" };
    let per = limit.text("per").map(|per| format!(" per {}", per.replace('_', " "))).unwrap_or_default();
    format!(
        "<tr><th><code>{}</code></th><td>{} {}{}{}</td><td>{}{configurable}</td></tr>",
        escape(name),
        escape(&value),
        escape(&unit),
        escape(&window),
        escape(&per),
        inline(limit.text("description").unwrap_or_default())
    )
}
