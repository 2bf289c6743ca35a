//! The one way from a brief to a finished article: draft, check, repair at most twice, derive.

use crate::domain::article::{HeroImage, WrittenArticle, reading_time_minutes, slugify};
use crate::domain::voice::{VoiceReport, Work, check};
use crate::generation::generator::{ArticleBrief, ArticleDraft, ArticleGenerator, FailureCode, GenerationError};

use super::closing::closing;
use super::structured_data::{Summary, json_ld};
use super::{html, markdown, mechanical};

/// How often a generator may revise its draft.
const MOST_REPAIRS: u32 = 2;
const TITLE_MAX: usize = 110;
const EXCERPT_MAX: usize = 300;
const META_TITLE_MAX: usize = 60;
const META_DESCRIPTION_MIN: usize = 50;
const META_DESCRIPTION_MAX: usize = 160;
const ALT_MAX: usize = 125;
const LISTED_MAX: usize = 10;

/// Writes the ordered article with the given generator.
///
/// # Errors
/// What the generator reports, and `voice_unsatisfiable` when its drafts still break the profile after two repairs.
pub async fn write_article(
    generator: &dyn ArticleGenerator,
    brief: &ArticleBrief,
) -> Result<WrittenArticle, GenerationError> {
    let mut draft = generator.draft(brief).await?;
    let mut article = derive(brief, &draft, &generator.name());
    for repair in 1..=MOST_REPAIRS {
        if article.voice.passed {
            return Ok(article);
        }
        draft = generator.revise(brief, &draft, &article.voice, repair).await?;
        article = derive(brief, &draft, &generator.name());
    }
    if !article.voice.passed {
        article = derive(brief, &mechanical::mend(brief, &draft, &article.voice), &generator.name());
    }
    if article.voice.passed { Ok(article) } else { Err(unsatisfiable(&article.voice)) }
}

/// Everything that follows from a draft.
fn derive(brief: &ArticleBrief, draft: &ArticleDraft, generator: &str) -> WrittenArticle {
    let closing = closing(brief);
    let content_markdown = body(draft, &closing.markdown);
    let rendered = html::render(&content_markdown);
    let word_count = html::count_words(&rendered.html);
    let title = markdown::clip(&plain(&draft.title), TITLE_MAX);
    let excerpt = markdown::clip(&plain(&draft.excerpt), EXCERPT_MAX);
    let meta_title = meta_title(&title);
    let meta_description = meta_description(&draft.meta_description, &excerpt);
    let alt = markdown::clip(&plain(&draft.hero_alt), ALT_MAX);
    let keywords = if brief.keywords.is_empty() { &draft.keywords } else { &brief.keywords };
    let keywords: Vec<String> = keywords.iter().take(LISTED_MAX).cloned().collect();
    let faq: Vec<_> = draft.faq.iter().take(LISTED_MAX).cloned().collect();
    let work = Work {
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
    let voice = check(&brief.voice, work);
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
        tags: draft.tags.iter().take(LISTED_MAX).cloned().collect(),
        faq,
        internal_links: closing.links,
        hero_image: Some(HeroImage { url: None, alt, width: None, height: None }).filter(|image| !image.alt.is_empty()),
        language: brief.language.clone(),
        word_count,
        reading_time_minutes: reading_time_minutes(word_count),
        voice,
        generator: generator.to_owned(),
    }
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
    let source = if title.chars().count() <= META_TITLE_MAX { title } else { main };
    markdown::clip(source, META_TITLE_MAX)
}

fn meta_description(description: &str, excerpt: &str) -> String {
    let mut text = plain(description);
    if text.chars().count() < META_DESCRIPTION_MIN {
        text = plain(&format!("{text} {excerpt}"));
    }
    markdown::clip(&text, META_DESCRIPTION_MAX)
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unsatisfiable(report: &VoiceReport) -> GenerationError {
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
        format!("no text keeps the profile ({})", failures.join("; ")),
    )
}
