//! The pipeline from a brief to a finished article: draft, check, repair at most twice, assemble. `edited` assembles an article again
//! after a user edited its texts.

use serde_json::{Value, json};

use crate::domain::article_texts::{
    ArticleTexts, MAX_ALT_CHARS, MAX_EXCERPT_CHARS, MAX_LIST_ITEMS, MAX_META_DESCRIPTION_CHARS, MAX_META_TITLE_CHARS,
    MAX_TITLE_CHARS, MIN_META_DESCRIPTION_CHARS, TextViolation,
};
use crate::domain::voice::{CheckInput, EmojiUse, TermReplacer, VoiceReport, check, emoji};
use crate::domain::written_article::{
    FaqEntry, HeroImage, InternalLink, WrittenArticle, reading_time_minutes, slugify,
};
use crate::generation::generator::{
    ArticleBrief, ArticleDraft, ArticleGenerator, BriefWebsite, FailureCode, GenerationError,
};

use super::closing::closing;
use super::{html, markdown};

/// Maximum number of times that a generator revises its draft.
const MAX_REPAIRS: u32 = 2;

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
        article = assemble(brief, &repaired(brief, draft, &article.voice), &generator.name());
    }
    if article.voice.passed { Ok(article) } else { Err(voice_unsatisfiable(&article.voice)) }
}

/// Repairs what needs no generator: replaces terms, removes pictographs and exclamation marks.
fn repaired(brief: &ArticleBrief, mut draft: ArticleDraft, report: &VoiceReport) -> ArticleDraft {
    let replacer = report.fails("replacements").then(|| TermReplacer::new(&brief.voice.vocabulary));
    let without_emoji = brief.voice.emoji == EmojiUse::None && report.fails("emoji");
    let without_exclamations = report.fails("exclamations");
    let repair = |text: &mut String| {
        if let Some(replacer) = &replacer {
            *text = replacer.replaced(text);
        }
        if without_emoji {
            let mut buffer = [0; 4];
            text.retain(|character| emoji(character.encode_utf8(&mut buffer)).is_none());
        }
        if without_exclamations {
            *text = text.replace('!', ".").replace('\u{ff01}', "。");
        }
    };
    let ArticleDraft { title, excerpt, meta_description, hero_alt, sections, faq, .. } = &mut draft;
    let of_sections = sections.iter_mut().flat_map(|section| [&mut section.heading, &mut section.markdown]);
    let of_questions = faq.iter_mut().flat_map(|entry| [&mut entry.question, &mut entry.answer]);
    [title, excerpt, meta_description, hero_alt].into_iter().chain(of_sections).chain(of_questions).for_each(repair);
    draft
}

/// Derives the article from a draft.
fn assemble(brief: &ArticleBrief, draft: &ArticleDraft, generator: &str) -> WrittenArticle {
    let closing = closing(brief);
    let content_markdown = body(draft, &closing.markdown);
    let internal_links = internal_links(brief, closing.links, &content_markdown);
    let title = markdown::clip(&markdown::single_spaced(&draft.title), MAX_TITLE_CHARS);
    let excerpt = markdown::clip(&markdown::single_spaced(&draft.excerpt), MAX_EXCERPT_CHARS);
    let alt = markdown::clip(&markdown::single_spaced(&draft.hero_alt), MAX_ALT_CHARS);
    let keywords = if brief.keywords.is_empty() { &draft.keywords } else { &brief.keywords };
    let slug = slugify(&title);
    let texts = ArticleTexts {
        meta_title: meta_title(&title),
        meta_description: meta_description(&draft.meta_description, &excerpt),
        title,
        excerpt,
        content_markdown,
        keywords: keywords.iter().take(MAX_LIST_ITEMS).cloned().collect(),
        tags: draft.tags.iter().take(MAX_LIST_ITEMS).cloned().collect(),
        faq: draft.faq.iter().take(MAX_LIST_ITEMS).cloned().collect(),
        hero_image: Some(HeroImage { url: None, alt, width: None, height: None }).filter(|image| !image.alt.is_empty()),
    };
    with_texts(brief, texts, (slug, internal_links), generator)
}

/// Returns the article with texts that a user edited, and everything derived from them, or the errors in the texts. `brief` is the
/// one that the article was written from, with the present voice and published articles.
pub fn edited(
    brief: &ArticleBrief,
    former: &WrittenArticle,
    texts: ArticleTexts,
) -> Result<WrittenArticle, Vec<TextViolation>> {
    let texts = tidied(texts);
    let violations = texts.violations();
    if !violations.is_empty() {
        return Err(violations);
    }
    let targets = markdown::link_targets(&texts.content_markdown);
    let kept = former.internal_links.iter().filter(|link| targets.contains(&link.url)).cloned().collect();
    let links = internal_links(brief, kept, &texts.content_markdown);
    // A requested keyword that the user removed is not checked any more.
    let keywords = brief.keywords.iter().filter(|keyword| texts.keywords.contains(keyword)).cloned().collect();
    let brief = ArticleBrief { keywords, ..brief.clone() };
    Ok(with_texts(&brief, texts, (former.slug.clone(), links), &former.generator))
}

/// Removes white space that a form adds or that readers do not see.
fn tidied(texts: ArticleTexts) -> ArticleTexts {
    let tidy = |text: String| markdown::single_spaced(&text);
    let body = texts.content_markdown.replace("\r\n", "\n");
    let faq = texts.faq.into_iter();
    ArticleTexts {
        title: tidy(texts.title),
        excerpt: tidy(texts.excerpt),
        meta_title: tidy(texts.meta_title),
        meta_description: tidy(texts.meta_description),
        content_markdown: format!("{}\n", body.trim_start_matches('\n').trim_end()),
        keywords: texts.keywords.into_iter().map(tidy).collect(),
        tags: texts.tags.into_iter().map(tidy).collect(),
        faq: faq.map(|entry| FaqEntry { question: tidy(entry.question), answer: tidy(entry.answer) }).collect(),
        hero_image: texts.hero_image.map(|image| HeroImage { alt: tidy(image.alt), ..image }),
    }
}

/// Derives the article from its texts.
fn with_texts(
    brief: &ArticleBrief,
    texts: ArticleTexts,
    (slug, internal_links): (String, Vec<InternalLink>),
    generator: &str,
) -> WrittenArticle {
    let rendered = html::render(&texts.content_markdown);
    let word_count = html::count_words(&rendered.html);
    let input = CheckInput {
        topic: &brief.topic,
        ordered_language: &brief.language,
        language: &brief.language,
        keywords: &brief.keywords,
        target_word_count: brief.target_word_count,
        word_count,
        title: &texts.title,
        excerpt: &texts.excerpt,
        meta_title: &texts.meta_title,
        meta_description: &texts.meta_description,
        hero_alt: texts.hero_image.as_ref().map_or("", |image| &image.alt),
        markdown: &texts.content_markdown,
        outline: &rendered.outline,
        faq: &texts.faq,
    };
    let voice = check(&brief.voice, input);
    let article = WrittenArticle {
        topic: brief.topic.clone(),
        slug,
        json_ld: Value::Null,
        title: texts.title,
        excerpt: texts.excerpt,
        meta_title: texts.meta_title,
        meta_description: texts.meta_description,
        content_markdown: texts.content_markdown,
        content_html: rendered.html,
        outline: rendered.outline,
        keywords: texts.keywords,
        tags: texts.tags,
        faq: texts.faq,
        internal_links,
        hero_image: texts.hero_image,
        language: brief.language.clone(),
        word_count,
        reading_time_minutes: reading_time_minutes(word_count),
        voice,
        generator: generator.to_owned(),
    };
    WrittenArticle { json_ld: structured_data(&brief.website, &article), ..article }
}

/// Returns the article in schema.org terms: `{"@context", "@graph": [BlogPosting, FAQPage?]}`. The hosted site adds addresses and
/// dates.
fn structured_data(website: &BriefWebsite, article: &WrittenArticle) -> Value {
    let mut graph = vec![json!({
        "@type": "BlogPosting",
        "headline": article.title,
        "description": article.meta_description,
        "inLanguage": article.language,
        "keywords": article.keywords,
        "wordCount": article.word_count,
        "publisher": { "@type": "Organization", "name": website.name, "url": website.url },
    })];
    if !article.faq.is_empty() {
        let questions = article.faq.iter().map(|entry| {
            json!({ "@type": "Question", "name": entry.question,
                    "acceptedAnswer": { "@type": "Answer", "text": entry.answer } })
        });
        let questions: Vec<Value> = questions.collect();
        graph.push(json!({ "@type": "FAQPage", "inLanguage": article.language, "mainEntity": questions }));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
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
