//! Audit trail of the account: who changed what and when, as a page and as a CSV file.

use askama::Template;
use axum::body::Body;
use url::form_urlencoded::Serializer;

use super::super::{DisplayTime, Form, Layout, Paging, Result, Section, Visit, csv, layout, short_id};
use crate::app::MAX_EXPORTED_ENTRIES;
use crate::domain::audit::{Action, AuditEntry};
use crate::domain::search::{MAX_SEARCH_CHARS, Search};
use crate::domain::store::AuditFilter;

const PATH: &str = "/dashboard/account/audit";
const FILTERS: [&str; 2] = ["action", "actor"];
/// Paths of the pages that show an object, by the prefix of its id.
const FOLDERS: [(&str, &str); 6] = [
    ("web_", "/dashboard/websites/"),
    ("voice_", "/dashboard/voices/"),
    ("art_", "/dashboard/articles/"),
    ("post_", "/dashboard/pipeline/"),
    ("hook_", "/dashboard/hooks/"),
    ("dlv_", "/dashboard/hooks/deliveries/"),
];
/// Names of the columns.
const COLUMNS: [&str; 6] = ["time", "actor", "action", "what", "object", "detail"];

#[derive(Template)]
#[template(path = "dashboard/account/audit.html")]
struct AuditPage<'a> {
    layout: Layout,
    entries: Vec<Row>,
    actions: &'static [Action],
    action: &'a str,
    actor: &'a str,
    max_search_chars: usize,
    max_exported: usize,
    is_filtered: bool,
    paging: Paging,
}

struct Row {
    at: DisplayTime,
    actor: String,
    what: String,
    /// Short id of the changed object. The CSV export contains the full id.
    subject: Option<String>,
    /// Path of the object's page.
    href: Option<String>,
    detail: Option<String>,
}

/// Parses the filter in a query.
fn filter(query: &Form) -> AuditFilter {
    let actor = Search::parse(query.text("actor")).map(Into::into);
    AuditFilter { action: Action::parse(query.text("action")), actor }
}

/// Returns a description of the action. An unknown action, written by a newer version, is returned unchanged.
fn words(action: &str) -> String {
    Action::parse(action).map_or_else(|| action.to_owned(), |action| action.words().to_owned())
}

/// Returns the path of the page that shows the entry's object, if there is one.
fn page_of(entry: &AuditEntry) -> Option<String> {
    let subject = entry.subject.as_deref()?;
    let is_gone = [".removed", ".erased", ".deleted"].iter().any(|end| entry.action.ends_with(end));
    if is_gone {
        return None;
    }
    if subject.starts_with("user_") {
        return Some("/dashboard/account/users".to_owned());
    }
    if subject.starts_with("acct_") {
        return Some("/dashboard/account".to_owned());
    }
    if subject.starts_with("key_") {
        // For such an entry, the detail is the key's name.
        let name = entry.detail.as_ref().map_or("", |detail| detail.as_str());
        let query = Serializer::new(String::new()).append_pair("search", name).finish();
        return Some(format!("/dashboard/keys?{query}"));
    }
    let (_, folder) = FOLDERS.iter().find(|(prefix, _)| subject.starts_with(prefix))?;
    Some(format!("{folder}{subject}"))
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let filter = filter(&query);
    let token = query.page_token();
    let page = visit.app().audit_entries(visit.account(), &filter, token).await?;
    let row = |entry: AuditEntry| Row {
        href: page_of(&entry).map(|path| format!("{}{path}", visit.base())),
        at: entry.at.into(),
        actor: entry.actor.into_inner(),
        what: words(&entry.action),
        subject: entry.subject.as_deref().map(short_id),
        detail: entry.detail.map(crate::domain::personal::Personal::into_inner),
    };
    Ok(visit.page(&AuditPage {
        layout: visit.layout("Audit trail", Section::Account),
        actions: Action::ALL,
        action: query.text("action"),
        actor: query.text("actor"),
        max_search_chars: MAX_SEARCH_CHARS,
        max_exported: MAX_EXPORTED_ENTRIES,
        is_filtered: filter != AuditFilter::default(),
        paging: visit.paging(PATH, &query, &FILTERS, page.next_page.as_deref()),
        entries: page.items.into_iter().map(row).collect(),
    }))
}

/// Returns the entries that match the page's filters as a CSV file.
pub(in crate::dashboard) async fn download(visit: Visit, form: Form) -> Result {
    let entries = visit.app().export_audit_trail(visit.account(), &filter(&form)).await?;
    let lines: String = entries.iter().map(|entry| csv::line(&record(entry))).collect();
    Ok(layout::download("audit-trail.csv", csv::MEDIA_TYPE, Body::from(csv::head(&COLUMNS) + &lines)))
}

fn record(entry: &AuditEntry) -> [String; COLUMNS.len()] {
    [
        entry.at.to_string(),
        entry.actor.to_string(),
        entry.action.clone(),
        words(&entry.action),
        entry.subject.clone().unwrap_or_default(),
        entry.detail.as_ref().map(|detail| detail.as_str().to_owned()).unwrap_or_default(),
    ]
}
