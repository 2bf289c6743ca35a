//! List of articles.

use askama::Template;

use super::super::pipeline::board::WebsiteChoices;
use super::super::{DisplayTime, Form, Layout, Paging, Result, Section, Visit};
use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::search::Search;
use crate::domain::store::ArticleFilter;

const PATH: &str = "/dashboard/articles";

#[derive(Template)]
#[template(path = "dashboard/articles/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    website_id: &'a str,
    status: &'a str,
    is_filtered: bool,
    websites: WebsiteChoices,
    articles: Vec<ArticleSummary>,
    paging: Paging,
}

impl ListPage<'_> {
    fn time(&self, article: &ArticleSummary) -> DisplayTime {
        let time = article.published_at.unwrap_or(article.created_at);
        DisplayTime::in_zone(time, self.websites.zone(&article.website_id))
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let (search, website_id, status) = (query.text("search"), query.text("website_id"), query.text("status"));
    let filter = ArticleFilter {
        website_id: query.filled("website_id"),
        status: ArticleStatus::parse(status),
        updated_since: None,
    };
    let wanted = Search::parse(search);
    let token = query.page_token();
    let page = visit.app().find_articles(&visit.visibility(), &filter, wanted.as_ref(), token).await?;
    Ok(visit.page(&ListPage {
        layout: visit.layout("Articles", Section::Articles),
        search,
        website_id,
        status,
        is_filtered: wanted.is_some() || filter != ArticleFilter::default(),
        websites: WebsiteChoices::of(&visit).await?,
        paging: visit.paging(PATH, &query, &["search", "website_id", "status"], page.next_page.as_deref()),
        articles: page.items,
    }))
}
