//! List of leads.

use askama::Template;

use super::super::error::Result;
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::paging::Paging;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use super::filter::{self, FilterForm};
use crate::app::{ListedLead, NamedArticle, Page};
use crate::domain::account::Website;
use crate::domain::article::ArticleSummary;
use crate::domain::lead::ConfirmationStatus;
use crate::domain::personal::Personal;
use crate::domain::store::LeadFilter;

const PATH: &str = "/dashboard/leads";

#[derive(Template)]
#[template(path = "dashboard/leads/list.html")]
struct ListPage {
    layout: Layout,
    filters: FilterForm,
    errors: FieldErrors,
    is_filtered: bool,
    websites: Vec<Website>,
    /// Article to which the list is limited.
    article: Option<NamedArticle>,
    rows: Vec<Row>,
    paging: Paging,
    /// Published article with a form to try, if there is no lead yet.
    published: Option<ArticleSummary>,
}

/// Lead in the list.
struct Row {
    id: String,
    who: String,
    about: String,
    website_name: String,
    article: Option<NamedArticle>,
    captured: DisplayTime,
    is_suspected: bool,
    is_unconfirmed: bool,
}

impl From<ListedLead> for Row {
    fn from(ListedLead { lead, website_name, article }: ListedLead) -> Self {
        let text = |member: &Option<Personal<String>>| member.as_ref().map(|text| text.to_string());
        let mut known = [text(&lead.name), text(&lead.email), text(&lead.phone)].into_iter().flatten();
        let who = known.next().unwrap_or_default();
        let about: Vec<_> = known.next().into_iter().chain(text(&lead.company)).collect();
        let (about, captured) = (about.join(" · "), lead.captured_at.into());
        let is_unconfirmed = lead.confirmation.status == ConfirmationStatus::Pending;
        let is_suspected = lead.spam.suspected;
        Self { id: lead.id, who, about, website_name, article, captured, is_suspected, is_unconfirmed }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let filters = FilterForm::read(&query);
    let (filter, errors) = match filters.parse() {
        Ok(filter) => (Some(filter), FieldErrors::default()),
        Err(errors) => (None, errors),
    };
    let search = filters.search();
    let token = query.page_token();
    let page = match &filter {
        Some(filter) => visit.app().find_leads(visit.account(), filter, search.as_ref(), token).await?,
        None => Page { items: Vec::new(), next_page: None },
    };
    let article = match filters.article.as_str() {
        "" => None,
        article_id => visit.app().named_article(visit.account(), article_id).await?,
    };
    let is_filtered = search.is_some() || filter != Some(LeadFilter::default());
    let published =
        if page.items.is_empty() && !is_filtered { visit.app().newest_published(visit.account()).await? } else { None };
    let path = format!("{}{PATH}", visit.base());
    let has_errors = !errors.is_empty();
    let page = ListPage {
        layout: visit.layout("Leads", Section::Leads),
        is_filtered,
        websites: visit.app().websites(visit.account()).await?,
        article,
        paging: Paging::new(&path, &query, &filter::NAMES, page.next_page.as_deref()),
        rows: page.items.into_iter().map(Row::from).collect(),
        published,
        filters,
        errors,
    };
    Ok(if has_errors { visit.form_again(&page) } else { visit.page(&page) })
}
