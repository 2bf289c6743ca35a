//! Briefs for the tests and the call that turns them into articles.

use contentgen_server_stub::domain::voice::BrandVoice;
use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::generation::{ArticleBrief, BriefWebsite, GenerationError, OfflineWriter, write_article};

pub(crate) fn brief_about(topic: &str) -> ArticleBrief {
    ArticleBrief {
        topic: topic.to_owned(),
        language: "en".to_owned(),
        keywords: Vec::new(),
        target_word_count: 1200,
        metadata: None,
        website: BriefWebsite {
            website_id: "web_1".to_owned(),
            name: "Harbour Notes".to_owned(),
            url: "https://harbour.example".to_owned(),
        },
        voice: BrandVoice { id: "voice_1".to_owned(), ..BrandVoice::default() },
        published: Vec::new(),
    }
}

pub(crate) fn write(brief: &ArticleBrief) -> Result<WrittenArticle, GenerationError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be built");
    runtime.block_on(write_article(&OfflineWriter, brief))
}

/// Returns the text that a reader sees, without front matter.
pub(crate) fn all_text(article: &WrittenArticle) -> String {
    let mut lines = vec![
        article.title.clone(),
        article.excerpt.clone(),
        article.meta_title.clone(),
        article.meta_description.clone(),
    ];
    lines.extend(article.hero_image.iter().map(|image| image.alt.clone()));
    lines.push(article.content_markdown.clone());
    lines.extend(article.faq.iter().flat_map(|entry| [entry.question.clone(), entry.answer.clone()]));
    lines.join("\n")
}
