//! Judges an article by the text that a reader gets, independently of the filter's code.

use std::collections::HashSet;

use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::generation::ArticleBrief;
use contentgen_server_stub::generation::assemble::{render, sanitise};

/// Every rule of the contract, section 4.2.
const RULES: [&str; 15] = [
    "banned_terms",
    "replacements",
    "required_terms",
    "reading_grade",
    "sentence_length",
    "point_of_view",
    "cta_present",
    "contractions",
    "emoji",
    "exclamations",
    "faq_count",
    "word_count",
    "structure",
    "keyword_use",
    "language",
];

/// Forbidden content of an article, by kind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Findings {
    pub(super) links: usize,
    pub(super) numbers: usize,
    pub(super) quotations: usize,
    pub(super) unsanitised: usize,
}

/// Returns the texts of an article for readers, search engines and callers, except those that repeat the request.
pub(super) fn texts(article: &WrittenArticle) -> Vec<String> {
    let mut texts = vec![
        article.title.clone(),
        article.excerpt.clone(),
        article.meta_title.clone(),
        article.meta_description.clone(),
        shown(&article.content_html),
    ];
    texts.extend(article.hero_image.iter().map(|image| image.alt.clone()));
    texts.extend(article.tags.iter().cloned());
    texts.extend(article.outline.iter().map(|entry| entry.text.clone()));
    texts.extend(article.faq.iter().flat_map(|entry| [entry.question.clone(), entry.answer.clone()]));
    texts
}

/// Returns the text of a page, with each block on a separate line.
fn shown(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    for part in html.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        if !["", "a", "code", "em", "strong"].contains(&name) {
            text.push('\n');
        }
        text.push_str(rest);
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ").replace("&amp;", "&")
}

/// Returns all texts of the request and the profile.
fn order(brief: &ArticleBrief) -> String {
    let mut order = format!("{} {} {} ", brief.topic, brief.keywords.join(" "), brief.website.name);
    order.push_str(&brief.voice.samples.join(" "));
    order.push_str(brief.voice.boilerplate.as_deref().unwrap_or_default());
    order
}

/// Returns runs of digits of any script. Ignores one or two digits after a letter, as in B2B.
fn numbers(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let (mut run, mut before) = (String::new(), ' ');
    let mut is_name = false;
    for character in text.chars().chain([' ']) {
        if character.is_numeric() {
            if run.is_empty() {
                is_name = before.is_alphabetic();
            }
            run.push(character);
        } else {
            let run = std::mem::take(&mut run);
            if !run.is_empty() && (!is_name || run.chars().count() > 2) {
                found.insert(run);
            }
        }
        // A hyphen may separate letter and digits.
        if character != '-' {
            before = character;
        }
    }
    found
}

/// Returns the texts between quotation marks or after an unclosed one, in lower case and without marks at the ends.
fn quotations(text: &str) -> impl Iterator<Item = String> {
    let marks = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{300c}', '\u{300d}', '\u{ff02}'];
    let parts = text.split(marks).collect::<Vec<_>>();
    let inner = parts
        .into_iter()
        .skip(1)
        .step_by(2)
        .map(|quoted| quoted.trim_matches(|end: char| !end.is_alphanumeric()).to_lowercase());
    inner.collect::<Vec<_>>().into_iter()
}

/// Checks an article.
pub(super) fn judge(article: &WrittenArticle, brief: &ArticleBrief) -> Findings {
    let mut found = Findings::default();
    let call = brief.voice.cta.as_ref().and_then(|cta| cta.url.as_deref());
    let allowed: HashSet<String> = call
        .into_iter()
        .chain(brief.published.iter().map(|link| link.url.as_str()))
        .map(|url| url.replace('&', "&amp;"))
        .collect();
    for attribute in ["href=\"", "src=\""] {
        let urls = article.content_html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next());
        found.links += urls.filter(|url| !allowed.contains(*url)).count();
    }
    let known = numbers(&order(brief));
    for text in texts(article) {
        let words = text.to_lowercase();
        found.links += ["http:", "https:", "www.", "javascript:"]
            .iter()
            .map(|mark| words.matches(mark).count())
            .sum::<usize>()
            - allowed.iter().map(|url| words.matches(&url.replace("&amp;", "&").to_lowercase()).count()).sum::<usize>();
        found.numbers += numbers(&text).difference(&known).count();
        found.numbers += ["percent", "per cent", "million", "billion", "thousand", "twice as"]
            .iter()
            .filter(|word| words.contains(**word))
            .count();
        found.quotations += quotations(&text).filter(|quoted| !order(brief).to_lowercase().contains(quoted)).count();
        found.unsanitised += text.chars().filter(|character| is_harmful(*character)).count();
    }
    let html = &article.content_html;
    found.unsanitised +=
        usize::from(sanitise(html) != *html) + usize::from(render(&article.content_markdown).html != *html);
    found.unsanitised += html.chars().filter(|character| is_harmful(*character)).count();
    found.unsanitised += ["<script", "<iframe", "<style", "onerror", "javascript:", "<img"]
        .iter()
        .filter(|mark| html.contains(**mark))
        .count();
    found
}

fn is_harmful(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Checks that an article has no forbidden content, and a report on every rule.
pub(super) fn assert_grounded(article: &WrittenArticle, brief: &ArticleBrief) {
    assert_eq!(judge(article, brief), Findings::default(), "{:#?}", texts(article));
    assert_reported(article);
}

pub(super) fn assert_reported(article: &WrittenArticle) {
    let rules: Vec<&str> = article.voice.checks.iter().map(|check| check.rule.as_str()).collect();
    assert_eq!(rules, RULES);
    assert!(article.voice.passed);
}
