//! The frame of every page: head, side list, body, and the style and script within the page itself.

use super::markup::escape;

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/search.js");

/// A whole page that loads nothing from anywhere. `up` leads to the folder of the reference.
pub(super) fn page(title: &str, navigation: &str, body: &str, up: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title><style>\n{STYLE}</style></head>\
         <body><a class=\"skip\" href=\"#content\">Skip to the content</a>\
         <nav aria-label=\"Sections\"><a class=\"home\" href=\"{up}index.html\">Content Generation Service</a>\
         <input type=\"search\" id=\"filter\" placeholder=\"Filter ( / )\" aria-label=\"Filter the sections\">\
         <div id=\"sections\">{navigation}</div></nav><main id=\"content\">{body}</main><script>\n{SCRIPT}</script></body></html>\n",
        title = escape(title),
    )
}
