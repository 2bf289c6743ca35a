//! Markdown and HTML of an article say the same.

use serde_json::{Value, json};

use crate::check::{Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::derived::derived;
use crate::steps::written::text;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        derived(
            "articles.markdown.outline",
            "outline equals the headings of content_markdown, level by level.",
            markdown_outline,
        ),
        text("articles.markdown.plain", "content_markdown has no H1 and no raw HTML.", markdown),
    ]
}

/// The levels of the headings that begin with number signs, outside of fences; `None` where others may be.
fn levels(markdown: &str) -> Option<Vec<usize>> {
    let (mut levels, mut fenced, mut before) = (Vec::new(), false, "");
    for line in markdown.lines() {
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
        }
        let signs = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_indented = line.len() - text.len() > 3;
        let is_heading = (1..=6).contains(&signs) && text[signs..].starts_with([' ', '\t']) && !is_indented && !fenced;
        if is_heading {
            levels.push(signs);
        }
        let is_rule =
            !text.is_empty() && (text.bytes().all(|byte| byte == b'-') || text.bytes().all(|byte| byte == b'='));
        if is_rule && !fenced && !before.trim().is_empty() {
            return None;
        }
        before = if is_heading || fenced { "" } else { line };
    }
    Some(levels)
}

pub(super) fn markdown_outline(article: &Value) -> Verdict {
    let Some(levels) = levels(demand::text(article, "content_markdown")?) else {
        return Err(Halt::inconclusive("the Markdown has headings that are underlined"));
    };
    let outline: Vec<Value> =
        article["outline"].as_array().into_iter().flatten().map(|entry| entry["level"].clone()).collect();
    demand::same("levels of the outline", &json!(levels), &Value::Array(outline))?;
    ensure_met(!levels.is_empty(), "the article has no heading")
}

pub(super) async fn markdown(article: Value) -> Verdict {
    let mut fenced = false;
    let text = demand::text(&article, "content_markdown")?;
    ensure_met(!text.trim().is_empty(), "content_markdown is blank")?;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        ensure(!line.starts_with("# ") && line != "#", "no H1 in content_markdown", || line.to_owned())?;
        let trimmed = line.trim_start();
        let raw = trimmed.starts_with('<') && !trimmed.starts_with("<http") && trimmed.contains('>');
        ensure(!raw, "no raw HTML in content_markdown", || line.to_owned())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn headings_are_read_outside_of_fences() {
        assert_eq!(levels("## A\n\ntext\n\n```\n# no\n```\n### B\n\n---\n"), Some(vec![2, 3]));
        assert_eq!(levels("A\n---\n"), None);
        assert_eq!(levels("#no\n    ## no\n| a |\n|---|\n"), Some(vec![]));
    }
}
