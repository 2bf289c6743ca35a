//! Articles, leads and requests with the usual fields. Articles are shorter, so that a million fit on a disk. The numbers of rows and their
//! owners are in `population`.

use contentgen_server_stub::domain::article::{Article, ArticleStatus, Metadata};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::job::JobRequest;
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation, LeadConsent, LeadSource};
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::domain::written_article::{OutlineEntry, WrittenArticle};

use crate::population::{Owner, mix};

/// Words for topics and addresses.
const WORDS: [&str; 16] = [
    "rye", "winter", "starter", "garden", "beds", "bicycle", "chain", "oven", "bread", "soil", "roof", "window",
    "harbour", "kettle", "paint", "wood",
];
/// Paragraphs of an article.
const PARAGRAPHS: usize = 6;

/// Returns `count` words chosen by a number.
fn words(number: u64, count: usize) -> String {
    let word = |place: usize| WORDS[usize::try_from(mix(number.wrapping_add(place as u64)) % 16).unwrap_or_default()];
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the request of a job.
pub(crate) fn request(number: u64) -> JobRequest {
    JobRequest {
        topic: format!("How to care for {} {number}", words(number, 4)),
        language: "en".to_owned(),
        keywords: vec![words(number, 2), words(number + 7, 2)],
        target_word_count: 1200,
        auto_publish: true,
        publish_at: None,
        metadata: Metadata::from([("order".to_owned(), number.to_string())]),
    }
}

/// Returns a written article. It is shorter than usual, so that a million fit on a disk.
fn written(number: u64) -> WrittenArticle {
    let request = request(number);
    let paragraph =
        |part: usize| format!("{}. {}.", words(number + part as u64, 14), words(number + 50 + part as u64, 14));
    let paragraphs: Vec<_> = (0..PARAGRAPHS).map(paragraph).collect();
    let section = |(part, text): (usize, &String)| format!("## Part {part}\n\n{text}");
    let html = |(part, text): (usize, &String)| format!("<h2 id=\"part-{part}\">Part {part}</h2><p>{text}</p>");
    let entry = |part: usize| OutlineEntry { level: 2, text: format!("Part {part}"), anchor: format!("part-{part}") };
    WrittenArticle {
        title: request.topic.clone(),
        slug: request.topic.to_lowercase().replace(' ', "-"),
        excerpt: paragraphs[0].clone(),
        meta_title: words(number, 6),
        meta_description: paragraphs[1].clone(),
        content_markdown: paragraphs.iter().enumerate().map(section).collect::<Vec<_>>().join("\n\n"),
        content_html: paragraphs.iter().enumerate().map(html).collect(),
        outline: (0..PARAGRAPHS).map(entry).collect(),
        keywords: request.keywords.clone(),
        tags: vec![words(number, 1)],
        faq: Vec::new(),
        internal_links: Vec::new(),
        hero_image: None,
        json_ld: serde_json::json!({ "@context": "https://schema.org", "@graph": [{ "headline": request.topic }] }),
        language: request.language,
        word_count: 180,
        reading_time_minutes: 1,
        voice: VoiceReport { passed: true, ..VoiceReport::default() },
        generator: "offline".to_owned(),
        topic: request.topic,
    }
}

/// Returns a new article that is to be published.
pub(crate) fn article(number: u64, id: String, job_id: String, website_id: &str, at: Timestamp) -> Article {
    let content = written(number);
    Article {
        id,
        job_id: Some(job_id),
        website_id: website_id.to_owned(),
        status: ArticleStatus::Scheduled,
        version: 1,
        url: None,
        canonical_url: None,
        content,
        metadata: Metadata::from([("order".to_owned(), number.to_string())]),
        created_at: at,
        updated_at: at,
        published_at: None,
    }
}

/// Returns the URL of an article.
pub(crate) fn url(article: &Article) -> String {
    format!("https://articles.example.org/sites/{}/{}", article.website_id, article.content.slug)
}

/// Returns a lead with a new e-mail address.
pub(crate) fn lead(
    number: u64,
    id: String,
    (owner, website_id): (&Owner, &str),
    article_id: Option<String>,
    captured_at: Timestamp,
) -> Lead {
    let source = LeadSource {
        page_url: Some(format!("https://example.org/{}", words(number, 3).replace(' ', "-")).into()),
        referrer: Some("https://search.example/".to_owned().into()),
        form_id: Some("contact".to_owned().into()),
        utm: Metadata::from([("source".to_owned(), "newsletter".to_owned())]).into(),
    };
    let consent = LeadConsent {
        given: true,
        text: Some("I agree that you answer me by e-mail.".to_owned().into()),
        at: Some(captured_at),
    };
    Lead {
        id,
        account_id: owner.account_id.clone(),
        website_id: website_id.to_owned(),
        article_id,
        email: Some(format!("reader-{number:x}-{:x}@example.org", mix(number) >> 32).into()),
        name: Some("A Reader".to_owned().into()),
        company: None,
        phone: None,
        phone_typed: None,
        message: Some(format!("Do you teach a course on {}?", words(number, 8)).into()),
        fields: Metadata::from([("budget".to_owned(), "100".to_owned())]).into(),
        source,
        consent,
        spam: contentgen_server_stub::domain::spam::SpamReport::default(),
        confirmation: LeadConfirmation::default(),
        captured_at,
        updated_at: captured_at,
    }
}
