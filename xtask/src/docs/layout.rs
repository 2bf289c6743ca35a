//! The frame of every page: head, side list, body, and the style and script within the page itself.

use super::markup::escape;

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/reference.js");

/// The frame of one page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) title: &'a str,
    /// Name above the side list.
    pub(super) brand: &'a str,
    /// Path of the search index from the page; empty on a page that is searched alone.
    pub(super) search_index: &'a str,
    /// Target of the name above the side list.
    pub(super) home: &'a str,
    /// A remark for readers of the source.
    pub(super) remark: &'a str,
}

impl Frame<'_> {
    /// A whole page that loads nothing from anywhere.
    pub(super) fn page(self, navigation: &str, body: &str) -> String {
        let page = format!(
            "<!doctype html>\n<!-- {remark} -->\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title><style>\n{STYLE}</style></head>\
             <body data-search-index=\"{index}\"><a class=\"skip\" href=\"#page-content\">Skip to the content</a>\
             <nav aria-label=\"Sections\"><a class=\"home\" href=\"{home}\">{brand}</a>\
             <input type=\"search\" id=\"page-search\" placeholder=\"Search ( / )\" aria-label=\"Search the documentation\">\
             <div id=\"page-results\" role=\"status\"></div><div id=\"page-sections\">{navigation}</div></nav><main id=\"page-content\">{body}</main><script>\n{SCRIPT}</script></body></html>\n",
            remark = self.remark,
            title = escape(self.title),
            brand = escape(self.brand),
            index = escape(self.search_index),
            home = self.home,
        );
        // The committed page is compared by lines. Neither tag occurs in a listing, where a line break would be visible.
        page.replace("<section", "\n<section").replace("<tr>", "\n<tr>")
    }
}
