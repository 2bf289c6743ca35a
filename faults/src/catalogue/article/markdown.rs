//! Faults in the Markdown of an article.

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "article.markdown-deeper",
        "Headings of the Markdown are one level deeper than those of the HTML.",
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

/// Moves every heading outside of fences one level deeper, whether it has number signs or is underlined.
fn deeper(markdown: &str) -> String {
    let mut fence = None;
    let mut lines: Vec<String> = Vec::new();
    // Start of the paragraph that an underline would turn into a heading.
    let mut paragraph: Option<usize> = None;
    let mut is_other_block = false;
    for line in markdown.split('\n') {
        let text = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark));
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        let former = paragraph.take();
        if fence.is_some() || mark.is_some() {
            fence = if fence.is_none() { mark } else { fence.filter(|open| mark != Some(*open)) };
            is_other_block = false;
        } else if !is_indented && is_numbered(text) {
            lines.push(line.replacen('#', "##", 1));
            is_other_block = false;
            continue;
        } else if former.is_some() && !is_indented && is_line_of(text, '=') {
            lines.push(line.replace('=', "-"));
            continue;
        } else if let Some(first) = former.filter(|_| !is_indented && is_line_of(text, '-')) {
            let words: Vec<String> = lines.drain(first..).map(|line| line.trim().to_owned()).collect();
            lines.push(format!("### {}", words.join(" ")));
            continue;
        } else if text.is_empty() || ['-', '*', '_'].iter().any(|mark| is_line_of(text, *mark)) {
            is_other_block = false;
        } else {
            is_other_block |= begins_other_block(text);
            let is_code = is_indented && former.is_none();
            paragraph = former.or(Some(lines.len())).filter(|_| !is_other_block && !is_code);
        }
        lines.push(line.to_owned());
    }
    lines.join("\n")
}

/// Returns true for a heading with number signs, as in `## Title`.
fn is_numbered(text: &str) -> bool {
    let title = text.trim_start_matches('#');
    (1..=6).contains(&(text.len() - title.len())) && (title.is_empty() || title.starts_with([' ', '\t']))
}

fn is_line_of(text: &str, mark: char) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter == mark)
}

/// Returns true for a line that an underline cannot turn into a heading: a quotation, a table, HTML, or a list item.
fn begins_other_block(text: &str) -> bool {
    let behind_number = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_item = behind_number.len() < text.len() && [". ", ") "].iter().any(|mark| behind_number.starts_with(mark));
    is_item || ["- ", "* ", "+ ", ">", "|", "<"].iter().any(|mark| text.starts_with(mark))
}

#[cfg(test)]
mod tests {
    #[test]
    fn headings_outside_of_fences_go_deeper() {
        assert_eq!(super::deeper("## A\n\n```\n# b\n```\n### C\n#no"), "### A\n\n```\n# b\n```\n#### C\n#no");
    }

    #[test]
    fn indented_and_underlined_headings_go_deeper() {
        assert_eq!(super::deeper("   ## A\n    ## code\n##"), "   ### A\n    ## code\n###");
        assert_eq!(super::deeper("A\nb\n===\n\nC\nd\n---\ne"), "A\nb\n---\n\n### C d\ne");
        for other in ["- a\n---", "- a\n  b\n---", "a\n\n---\nb\n", "> a\n---", "~~~\n```\na\n---\n# b\n~~~"] {
            assert_eq!(super::deeper(other), other);
        }
    }
}
