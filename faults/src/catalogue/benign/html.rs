//! Equivalent HTML of an article, and HTML with more around its text.

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use super::body;
use super::markup::{is_begin, name_of, rewritten};
use crate::message::Request;

/// Elements without an end tag.
const VOID: [&str; 3] = ["br", "hr", "img"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.html-spelled",
        "HTML has capitals, single quotes, another order of attributes, and slashes: the HTML standard allows each.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, spelled)))
    .hook(|hook, _, _| edit_hook(hook, spelled)),
    variant(
        "benign.html-entities",
        "HTML has character references instead of letters: the HTML standard declares them the same.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, with_references)))
    .hook(|hook, _, _| edit_hook(hook, with_references)),
    variant(
        "benign.html-wrapped",
        "HTML has elements around its text, and classes: article-html only forbids harmful markup.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, wrapped)))
    .hook(|hook, _, _| edit_hook(hook, wrapped)),
    variant(
        "benign.html-anchors",
        "Headings are links to themselves: article-outline asks for their text and their id only.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, linked)))
    .hook(|hook, _, _| edit_hook(hook, linked)),
    variant(
        "benign.html-aligned",
        "Paragraphs and cells have style=\"text-align: left\", the one style that article-html allows.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, |article| edit(article, aligned)))
    .hook(|hook, _, _| edit_hook(hook, aligned)),
];

fn edit(record: &mut Value, rewrite: fn(&str) -> String) {
    body::edit_text(record, "content_html", rewrite);
}

fn edit_hook(hook: &mut Request, rewrite: fn(&str) -> String) {
    body::edit_data(hook, |data| edit(data, rewrite));
}

fn is_heading(tag: &str) -> bool {
    matches!(name_of(tag), "h2" | "h3" | "h4")
}

fn spelled(html: &str) -> String {
    let tag = |tag: &str| {
        let name = name_of(tag);
        if !is_begin(tag) {
            return format!("</{} >", name.to_uppercase());
        }
        let rest = tag[1 + name.len()..].trim_end_matches(['>', '/']).trim();
        // A sanitiser writes every value in double quotes, and the value contains none.
        let attributes: Vec<&str> = rest.split_inclusive("\" ").map(str::trim).collect();
        let mut spelled = format!("<{}", name.to_uppercase());
        for attribute in attributes.into_iter().rev().filter(|attribute| !attribute.is_empty()) {
            let is_plain = !attribute.contains('\'');
            let quoted = if is_plain { attribute.replace('"', "'") } else { attribute.to_owned() };
            spelled.push_str("\n ");
            spelled.push_str(&quoted);
        }
        spelled + if VOID.contains(&name) { " />" } else { ">" }
    };
    rewritten(html, tag, str::to_owned)
}

fn with_references(html: &str) -> String {
    rewritten(html, str::to_owned, |text| text.chars().map(reference).collect())
}

/// Writes some letters, and all outside ASCII, as references.
fn reference(letter: char) -> String {
    match letter {
        '\'' | '"' | '.' => format!("&#{};", u32::from(letter)),
        _ if letter.is_ascii() => letter.to_string(),
        _ => format!("&#x{:X};", u32::from(letter)),
    }
}

fn wrapped(html: &str) -> String {
    let tag = |tag: &str| {
        let is_paragraph = is_begin(tag) && name_of(tag) == "p";
        if is_paragraph { tag.replacen("<p", "<p class=\"text first\"", 1) } else { tag.to_owned() }
    };
    format!("<div class=\"article\"><section>\n{}\n</section></div>", rewritten(html, tag, str::to_owned))
}

fn linked(html: &str) -> String {
    let mut is_open = false;
    let tag = |tag: &str| {
        let id = tag.split_once("id=\"").and_then(|(_, rest)| rest.split('"').next());
        match id {
            Some(id) if is_begin(tag) && is_heading(tag) => {
                is_open = true;
                format!("{tag}<a href=\"#{id}\">")
            }
            _ if !is_begin(tag) && is_heading(tag) && is_open => {
                is_open = false;
                format!("</a>{tag}")
            }
            _ => tag.to_owned(),
        }
    };
    rewritten(html, tag, str::to_owned)
}

fn aligned(html: &str) -> String {
    let tag = |tag: &str| {
        let name = name_of(tag);
        let is_block = is_begin(tag) && matches!(name, "p" | "th" | "td") && !tag.contains("style=");
        if is_block { format!("<{name} style=\"text-align: left\"{}", &tag[1 + name.len()..]) } else { tag.to_owned() }
    };
    rewritten(html, tag, str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{aligned, linked, spelled, with_references, wrapped};

    #[test]
    fn html_is_written_otherwise() {
        let html = "<h2 id=\"a\">B \u{fc}</h2>\n<p>c<br><a href=\"/d>\" rel=\"e f\">g'.</a></p>";
        let other = "<H2\n id='a'>B \u{fc}</H2 >\n<P>c<BR /><A\n rel='e f'\n href='/d>'>g'.</A ></P >";
        assert_eq!(spelled(html), other);
        let referring = "<h2 id=\"a\">B &#xFC;</h2>\n<p>c<br><a href=\"/d>\" rel=\"e f\">g&#39;&#46;</a></p>";
        assert_eq!(with_references(html), referring);
        assert_eq!(linked("<h2 id=\"a\">b</h2><h5>c</h5>"), "<h2 id=\"a\"><a href=\"#a\">b</a></h2><h5>c</h5>");
        assert_eq!(aligned("<p>a</p><pre>b</pre>"), "<p style=\"text-align: left\">a</p><pre>b</pre>");
        let around = "<div class=\"article\"><section>\n<p class=\"text first\">a</p>\n</section></div>";
        assert_eq!(wrapped("<p>a</p>"), around);
    }
}
