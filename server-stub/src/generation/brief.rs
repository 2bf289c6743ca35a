//! Builds the brief of a request, from which the generator writes its article.

use super::{ArticleBrief, BriefWebsite};
use crate::domain::account::Website;
use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::job::JobRequest;
use crate::domain::store::{ArticleFilter, PageRequest, Result};
use crate::domain::visibility::Visibility;
use crate::domain::voice::BrandVoice;
use crate::domain::written_article::InternalLink;
use crate::storage::Store;

/// Maximum number of published articles that the brief offers as links.
const MAX_LINK_CANDIDATES: u32 = 20;

/// Returns the brief of a request for the website and its voice.
pub async fn brief(store: &Store, request: &JobRequest, website: &Website, voice: &BrandVoice) -> Result<ArticleBrief> {
    let visibility = Visibility { account_id: website.account_id.clone(), website_ids: None };
    let filter = ArticleFilter {
        website_id: Some(website.website_id.clone()),
        status: Some(ArticleStatus::Published),
        ..ArticleFilter::default()
    };
    let published =
        store.list_articles(&visibility, &filter, &PageRequest { after: None, limit: MAX_LINK_CANDIDATES }).await?;
    let linkable = |article: ArticleSummary| article.url.map(|url| InternalLink { url, anchor_text: article.title });
    Ok(ArticleBrief {
        topic: request.topic.clone(),
        language: request.language.clone(),
        keywords: request.keywords.clone(),
        target_word_count: request.target_word_count,
        metadata: Some(request.metadata.clone()),
        website: BriefWebsite {
            website_id: website.website_id.clone(),
            name: website.name.clone(),
            url: website.url.clone(),
        },
        voice: voice.clone(),
        published: published.into_iter().filter_map(linkable).collect(),
    })
}
