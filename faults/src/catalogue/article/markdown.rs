//! The Markdown of an article.

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "article.markdown-deeper",
        "Headings of the Markdown are a level deeper than those of the HTML.",
        &["articles.markdown.outline"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| edit_text(article, "content_markdown", deeper));
    }),
    fault("article.with-h1", "The Markdown begins with the title as an H1.", &["articles.markdown.plain"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                let title = article["title"].as_str().unwrap_or_default().to_owned();
                edit_text(article, "content_markdown", |markdown| format!("# {title}\n\n{markdown}"));
            });
        },
    ),
];

/// Every heading outside of fences with one number sign more.
fn deeper(markdown: &str) -> String {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in markdown.split('\n') {
        fenced ^= line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        let is_heading = !fenced && line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        lines.push(if is_heading { format!("#{line}") } else { line.to_owned() });
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn headings_outside_of_fences_go_deeper() {
        assert_eq!(super::deeper("## A\n\n```\n# b\n```\n### C\n#no"), "### A\n\n```\n# b\n```\n#### C\n#no");
    }
}
