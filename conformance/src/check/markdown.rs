//! Reads the Markdown of an article as CommonMark with tables: levels of headings, raw HTML, text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::html;

/// Returns the levels of the headings, in order.
pub(crate) fn heading_levels(markdown: &str) -> Vec<u64> {
    let levels = events(markdown).filter_map(|event| match event {
        Event::Start(Tag::Heading { level, .. }) => Some(level as u64),
        _ => None,
    });
    levels.collect()
}

/// Returns the first raw HTML, if there is any. Autolinks and code are not HTML.
pub(crate) fn raw_html(markdown: &str) -> Option<String> {
    events(markdown).find_map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Some(html.into_string()),
        _ => None,
    })
}

/// Returns the text of each block, such as a paragraph, an item of a list or a cell of a table.
pub(crate) fn blocks(markdown: &str) -> Vec<String> {
    read(markdown, Links::Kept)
}

/// Returns the text of each block without the text of links.
pub(crate) fn blocks_without_links(markdown: &str) -> Vec<String> {
    read(markdown, Links::LeftOut)
}

/// Treatment of the text of links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Kept,
    LeftOut,
}

fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

fn read(markdown: &str, links: Links) -> Vec<String> {
    let (mut blocks, mut block) = (Vec::new(), String::new());
    let (mut open_links, mut open_images) = (0_usize, 0_usize);
    for event in events(markdown) {
        match event {
            Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong) => {}
            Event::Start(Tag::Link { .. }) => open_links += 1,
            Event::End(TagEnd::Link) => open_links -= 1,
            // The description of an image is not text of the page.
            Event::Start(Tag::Image { .. }) => {
                open_images += 1;
                block.push(' ');
            }
            Event::End(TagEnd::Image) => open_images -= 1,
            Event::Start(_) | Event::End(_) | Event::Rule => blocks.push(std::mem::take(&mut block)),
            Event::SoftBreak | Event::HardBreak => block.push(' '),
            Event::Text(text) | Event::Code(text) if open_images == 0 && (open_links == 0 || links == Links::Kept) => {
                block.push_str(&text);
            }
            Event::Html(raw) | Event::InlineHtml(raw) => block.push_str(&html::text(&raw)),
            // Extensions that are not enabled.
            _ => {}
        }
    }
    blocks.push(block);
    blocks.retain(|block| !block.trim().is_empty());
    blocks
}

#[cfg(test)]
mod tests {
    use super::{blocks, blocks_without_links, heading_levels, raw_html};

    #[test]
    fn headings_in_code_do_not_count_and_underlined_ones_do() {
        assert_eq!(heading_levels("## A\n\n```\n# no\n```\n### B\n\n---\n"), [2, 3]);
        assert_eq!(heading_levels("~~~\n```\n# no\n~~~\n\n````\n```\n# no\n````\n\n    # no\n"), [0; 0]);
        assert_eq!(heading_levels("A\n---\n\nB\n===\n"), [2, 1]);
        assert_eq!(heading_levels("#no\n\n| a |\n|---|\n"), [0; 0]);
    }

    #[test]
    fn autolinks_code_and_signs_are_not_html() {
        for text in
            ["<me@example.com> <https://example.com>", "<5 minutes and >3 hours", "`<b>`", "    <b>", "~~~\n<b>\n~~~"]
        {
            assert_eq!(raw_html(text), None, "{text}");
        }
        assert_eq!(raw_html("a <b>c</b>").as_deref(), Some("<b>"));
        assert!(raw_html("<div>\na\n</div>\n").is_some() && raw_html("a\n\n<!-- b -->\n").is_some());
    }

    #[test]
    fn blocks_have_the_text_that_a_reader_sees() {
        let text = "## R&amp;D *t*oday\n\none\ntwo [three](https://four.example) `five` ![six](/7.png)\n\n- eight\n- nine\n\n| ten | eleven |\n|---|---|\n| twelve | |\n";
        let expected = ["R&D today", "one two three five  ", "eight", "nine", "ten", "eleven", "twelve"];
        assert_eq!(blocks(text), expected);
        assert_eq!(blocks_without_links(text)[1], "one two  five  ");
    }
}
