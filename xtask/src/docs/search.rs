//! The index for searching all pages: a script that sets one variable, because a page that is opened from a folder cannot fetch a file.

use serde_json::json;

/// Returns the script for pages with their paths. Each entry has the address of a section, its title and its text.
pub(super) fn index(pages: &[(String, &str)]) -> String {
    let mut entries = Vec::new();
    for (path, html) in pages {
        let mut title = String::new();
        for (anchor, section) in sections(html) {
            title = heading(section).unwrap_or(title);
            let address = if anchor.is_empty() { path.clone() } else { format!("{path}#{anchor}") };
            let text = text_of(section);
            if !text.is_empty() {
                entries.push(json!([address, title, text]));
            }
        }
    }
    format!("window.searchIndex={};\n", json!(entries))
}

/// Splits a page where an element has an id, and returns each part with that id.
fn sections(html: &str) -> Vec<(&str, &str)> {
    let mut starts: Vec<usize> = html.match_indices(" id=\"").filter_map(|(at, _)| html[..at].rfind('<')).collect();
    starts.insert(0, 0);
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([html.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &html[*start..end]);
    parts.map(|part| (id_of_first(part), part)).collect()
}

/// Returns the id of the element that a part begins with.
fn id_of_first(part: &str) -> &str {
    let tag = part.split('>').next().unwrap_or_default();
    tag.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default()
}

/// Returns the text of the first heading in a part.
fn heading(part: &str) -> Option<String> {
    let start = (1..=6).filter_map(|level| part.find(&format!("<h{level}"))).min()?;
    let level = part[start + 2..].chars().next()?;
    let end = part[start..].find(&format!("</h{level}>"))?;
    Some(text_of(&part[start..start + end]))
}

/// Returns the text of HTML, with one blank between words.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        // The part up to `>` is the tag itself.
        text.push_str(part.split_once('>').map_or(part, |(_, rest)| rest));
        text.push(' ');
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_section_is_found_with_its_heading_and_text() {
        let html = r#"<p>Start</p><section id="one"><h2>First <b>one</b></h2><p>a &lt; b</p><h3 id="two">Second</h3><p>c</p></section>"#;
        let script = index(&[("page.html".to_owned(), html)]);
        let expected = json!([
            ["page.html", "", "Start"],
            ["page.html#one", "First one", "First one a < b"],
            ["page.html#two", "Second", "Second c"],
        ]);
        assert_eq!(script, format!("window.searchIndex={expected};\n"));
    }
}
