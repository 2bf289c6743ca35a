//! List of leads, and the filter of the list and of the export.

use askama::Template;

use super::super::pipeline::board::WebsiteChoices;
use super::super::{DisplayTime, FieldErrors, Form, Layout, Paging, Result, Section, Visit};
use crate::app::{ListedLead, NamedArticle, Page};
use crate::domain::article::ArticleSummary;
use crate::domain::day::Day;
use crate::domain::lead::ConfirmationStatus;
use crate::domain::personal::Personal;
use crate::domain::search::Search;
use crate::domain::store::LeadFilter;
use crate::domain::time_zone::TimeZone;

const PATH: &str = "/dashboard/leads";
/// Names of the fields.
const FIELDS: [&str; 5] = ["search", "website", "article", "from", "until"];
/// Maximum length of an id in the filter, in characters.
const MAX_ID_CHARS: usize = 128;

#[derive(Template)]
#[template(path = "dashboard/leads/list.html")]
struct ListPage {
    layout: Layout,
    filters: Form,
    kept: Vec<(&'static str, String)>,
    errors: FieldErrors,
    is_filtered: bool,
    websites: WebsiteChoices,
    /// Time zone of the days in the filter.
    zone: &'static str,
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

impl Row {
    fn new(ListedLead { lead, website_name, article }: ListedLead, websites: &WebsiteChoices) -> Self {
        let text = |member: &Option<Personal<String>>| member.as_ref().map(|text| text.to_string());
        let mut known = [text(&lead.name), text(&lead.email), text(&lead.phone)].into_iter().flatten();
        let who = known.next().unwrap_or_default();
        let about: Vec<_> = known.next().into_iter().chain(text(&lead.company)).collect();
        let captured = DisplayTime::in_zone(lead.captured_at, websites.zone(&lead.website_id));
        let about = about.join(" · ");
        let is_unconfirmed = lead.confirmation.status == ConfirmationStatus::Pending;
        let is_suspected = lead.spam.suspected;
        Self { id: lead.id, who, about, website_name, article, captured, is_suspected, is_unconfirmed }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let websites = WebsiteChoices::of(&visit).await?;
    let zone = TimeZone::of_list(&websites.all, query.text("website"));
    let (filter, errors) = match parse_filter(&query, zone) {
        Ok(filter) => (Some(filter), FieldErrors::default()),
        Err(errors) => (None, errors),
    };
    let search = Search::parse(query.text("search"));
    let token = query.page_token();
    let page = match &filter {
        Some(filter) => visit.app().find_leads(visit.account(), filter, search.as_ref(), token).await?,
        None => Page { items: Vec::new(), next_page: None },
    };
    let article = match query.text("article") {
        "" => None,
        article_id => visit.app().named_article(visit.account(), article_id).await?,
    };
    let is_filtered = search.is_some() || filter != Some(LeadFilter::default());
    let published =
        if page.items.is_empty() && !is_filtered { visit.app().newest_published(visit.account()).await? } else { None };
    let has_errors = !errors.is_empty();
    let page = ListPage {
        layout: visit.layout("Leads", Section::Leads),
        is_filtered,
        article,
        paging: visit.paging(PATH, &query, &FIELDS, page.next_page.as_deref()),
        rows: page.items.into_iter().map(|lead| Row::new(lead, &websites)).collect(),
        websites,
        zone: zone.name(),
        published,
        kept: FIELDS.into_iter().filter_map(|name| Some((name, query.filled(name)?))).collect(),
        filters: query,
        errors,
    };
    Ok(if has_errors { visit.form_again(&page) } else { visit.page(&page) })
}

/// Parses the filter of the form for the store, without the search term. The range includes both days of `zone`.
pub(super) fn parse_filter(form: &Form, zone: TimeZone) -> Result<LeadFilter, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut day = |field| {
        let text = "write a date as year, month and day, such as 2026-11-23, or leave it empty";
        errors.parsed(form, field, Day::parse, text)
    };
    let (from, until) = (day("from"), day("until"));
    if from.zip(until).is_some_and(|(from, until)| from > until) {
        errors.add("until", "the last day is before the first day; swap the two");
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let id = |field| form.filled(field).map(|id| id.chars().take(MAX_ID_CHARS).collect());
    Ok(LeadFilter {
        website_id: id("website"),
        article_id: id("article"),
        captured_since: from.map(|day| zone.start_of(day)),
        captured_until: until.map(|day| zone.start_of(day.plus(1))),
        updated_since: None,
    })
}
