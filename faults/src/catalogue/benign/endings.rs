//! Articles whose text ends with rare but valid Markdown or HTML.

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use super::body;

/// An image of one red pixel.
const PICTURE: &str = "data:image/png;base64,\
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.markdown-autolink",
        "The text ends with an e-mail address as an autolink, which is not raw HTML (CommonMark 6.5).",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, end_with_address))
    .hook(|hook, _, _| body::edit_data(hook, end_with_address)),
    variant(
        "benign.markdown-code",
        "The text ends with code in a fence of tildes that contains a number sign and a tag (CommonMark 4.5).",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, end_with_code))
    .hook(|hook, _, _| body::edit_data(hook, end_with_code)),
    variant(
        "benign.html-data-image",
        "The text ends with an image as a data: address, which article-html allows in img.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, end_with_picture))
    .hook(|hook, _, _| body::edit_data(hook, end_with_picture)),
];

fn end_with_address(record: &mut Value) {
    let address = "<p><a href=\"mailto:desk@bakery.example\">desk@bakery.example</a></p>";
    end_with(record, "<desk@bakery.example>", address);
}

fn end_with_code(record: &mut Value) {
    end_with(record, "~~~\n# rye <b>\n~~~", "<pre><code># rye &lt;b&gt;\n</code></pre>");
}

fn end_with_picture(record: &mut Value) {
    let picture = format!("<p><img src=\"{PICTURE}\" alt=\"\"></p>");
    end_with(record, &format!("![]({PICTURE})"), &picture);
}

/// Adds the same block to both texts.
fn end_with(record: &mut Value, markdown: &str, html: &str) {
    body::edit_text(record, "content_markdown", |text| format!("{}\n\n{markdown}", text.trim_end()));
    body::edit_text(record, "content_html", |text| format!("{}\n{html}", text.trim_end()));
}
