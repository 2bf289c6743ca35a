//! The pipeline from a brief to a finished article: draft, check, repair at most twice, assemble.

use crate::domain::voice::{CheckInput, VoiceReport, check};
use crate::domain::written_article::{HeroImage, InternalLink, WrittenArticle, reading_time_minutes, slugify};
use crate::generation::generator::{ArticleBrief, ArticleDraft, ArticleGenerator, FailureCode, GenerationError};

use super::closing::closing;
use super::structured_data::{Summary, json_ld};
use super::{html, markdown, mechanical_repair};

/// Maximum number of times that a generator revises its draft.
const MAX_REPAIRS: u32 = 2;
const MAX_TITLE_CHARS: usize = 110;
const MAX_EXCERPT_CHARS: usize = 300;
const MAX_META_TITLE_CHARS: usize = 60;
const MIN_META_DESCRIPTION_CHARS: usize = 50;
const MAX_META_DESCRIPTION_CHARS: usize = 160;
const MAX_ALT_CHARS: usize = 125;
const MAX_LIST_ITEMS: usize = 10;

/// Writes the requested article with the given generator.
///
/// # Errors
/// Fails with the generator's error, or with `voice_unsatisfiable` if the draft still breaks the profile after two repairs.
pub async fn write_article(
    generator: &dyn ArticleGenerator,
    brief: &ArticleBrief,
) -> Result<WrittenArticle, GenerationError> {
    let mut draft = generator.draft(brief).await?;
    let mut article = assemble(brief, &draft, &generator.name());
    for repair in 1..=MAX_REPAIRS {
        if article.voice.passed {
            return Ok(article);
        }
        draft = generator.revise(brief, &draft, &article.voice, repair).await?;
        article = assemble(brief, &draft, &generator.name());
    }
    if !article.voice.passed {
        article = assemble(brief, &mechanical_repair::repair(brief, &draft, &article.voice), &generator.name());
    }
    if article.voice.passed { Ok(article) } else { Err(voice_unsatisfiable(&article.voice)) }
}

/// Derives the article from a draft.
fn assemble(brief: &ArticleBrief, draft: &ArticleDraft, generator: &str) -> WrittenArticle {
    let closing = closing(brief);
    let content_markdown = body(draft, &closing.markdown);
    let rendered = html::render(&content_markdown);
    let word_count = html::count_words(&rendered.html);
    let internal_links = internal_links(brief, closing.links, &content_markdown);
    let title = markdown::clip(&markdown::single_spaced(&draft.title), MAX_TITLE_CHARS);
    let excerpt = markdown::clip(&markdown::single_spaced(&draft.excerpt), MAX_EXCERPT_CHARS);
    let meta_title = meta_title(&title);
    let meta_description = meta_description(&draft.meta_description, &excerpt);
    let alt = markdown::clip(&markdown::single_spaced(&draft.hero_alt), MAX_ALT_CHARS);
    let keywords = if brief.keywords.is_empty() { &draft.keywords } else { &brief.keywords };
    let keywords: Vec<String> = keywords.iter().take(MAX_LIST_ITEMS).cloned().collect();
    let faq: Vec<_> = draft.faq.iter().take(MAX_LIST_ITEMS).cloned().collect();
    let input = CheckInput {
        topic: &brief.topic,
        ordered_language: &brief.language,
        language: &brief.language,
        keywords: &brief.keywords,
        target_word_count: brief.target_word_count,
        word_count,
        title: &title,
        excerpt: &excerpt,
        meta_title: &meta_title,
        meta_description: &meta_description,
        hero_alt: &alt,
        markdown: &content_markdown,
        outline: &rendered.outline,
        faq: &faq,
    };
    let voice = check(&brief.voice, input);
    let summary = Summary { title: &title, description: &meta_description, keywords: &keywords, word_count, faq: &faq };
    WrittenArticle {
        topic: brief.topic.clone(),
        slug: slugify(&title),
        json_ld: json_ld(brief, &summary),
        title,
        excerpt,
        meta_title,
        meta_description,
        content_markdown,
        content_html: rendered.html,
        outline: rendered.outline,
        keywords,
        tags: draft.tags.iter().take(MAX_LIST_ITEMS).cloned().collect(),
        faq,
        internal_links,
        hero_image: Some(HeroImage { url: None, alt, width: None, height: None }).filter(|image| !image.alt.is_empty()),
        language: brief.language.clone(),
        word_count,
        reading_time_minutes: reading_time_minutes(word_count),
        voice,
        generator: generator.to_owned(),
    }
}

/// Returns the links at the end of the body and in its text.
fn internal_links(brief: &ArticleBrief, mut links: Vec<InternalLink>, markdown: &str) -> Vec<InternalLink> {
    if !brief.published.is_empty() {
        let targets = markdown::link_targets(markdown);
        // The call to action does not count as a link between articles, even if it leads to one.
        let called = brief.voice.cta.as_ref().and_then(|cta| cta.url.as_ref());
        let linked = brief.published.iter().filter(|link| targets.contains(&link.url) && called != Some(&link.url));
        let further: Vec<_> = linked.filter(|link| !links.iter().any(|known| known.url == link.url)).cloned().collect();
        links.extend(further);
    }
    links
}

fn body(draft: &ArticleDraft, closing: &str) -> String {
    let mut body = String::new();
    for section in &draft.sections {
        if !section.heading.trim().is_empty() {
            body.push_str(&"#".repeat(usize::from(section.level.clamp(2, 4))));
            body.push(' ');
            body.push_str(&markdown::escape(&section.heading));
            body.push_str("\n\n");
        }
        body.push_str(markdown::without_raw_html(&section.markdown).trim());
        body.push_str("\n\n");
    }
    body.push_str(closing.trim_start());
    format!("{}\n", body.trim_end())
}

fn meta_title(title: &str) -> String {
    let main = title.split_once(": ").map_or(title, |(main, _)| main);
    let source = if title.chars().count() <= MAX_META_TITLE_CHARS { title } else { main };
    markdown::clip(source, MAX_META_TITLE_CHARS)
}

fn meta_description(description: &str, excerpt: &str) -> String {
    let mut text = markdown::single_spaced(description);
    if text.chars().count() < MIN_META_DESCRIPTION_CHARS {
        text = markdown::single_spaced(&format!("{text} {excerpt}"));
    }
    markdown::clip(&text, MAX_META_DESCRIPTION_CHARS)
}

fn voice_unsatisfiable(report: &VoiceReport) -> GenerationError {
    let failures: Vec<String> = report
        .failures()
        .map(|check| {
            let part = |label: &str, value: &Option<String>| {
                value.as_ref().map_or_else(String::new, |value| format!(" {label} {value}"))
            };
            format!("{}:{}{}", check.rule, part("expected", &check.expected), part("observed", &check.observed))
        })
        .collect();
    GenerationError::new(
        FailureCode::VoiceUnsatisfiable,
        format!("the article breaks rules of the voice profile ({})", failures.join("; ")),
    )
}
