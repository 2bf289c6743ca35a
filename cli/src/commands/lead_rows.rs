//! Leads as lines: of a table for people, of CSV for spreadsheets, of JSON for programs.

use chrono::SecondsFormat;
use contentgen_sdk::Response;
use contentgen_sdk::types::{Lead, LeadPage};
use serde_json::json;

use super::raw::raw_items;
use crate::failure::{Exit, Failure};
use crate::text::{Table, harmless, line};

/// What stands in the first line of CSV.
const COLUMNS: [&str; 17] = [
    "id",
    "captured_at",
    "website_id",
    "article_id",
    "email",
    "name",
    "company",
    "phone",
    "message",
    "fields",
    "form_id",
    "page_url",
    "referrer",
    "utm",
    "consent_given",
    "consent_at",
    "consent_text",
];

/// The form that leads are written in.
pub(super) enum Rows {
    Table(Table<6>),
    Csv,
    Json,
}

impl Rows {
    pub(super) fn new(is_csv: bool, is_json: bool) -> Self {
        match (is_csv, is_json) {
            (true, _) => Self::Csv,
            (false, true) => Self::Json,
            (false, false) => Self::Table(Table::new(["CAPTURED", "ID", "NAME", "EMAIL", "ARTICLE", "MESSAGE"])),
        }
    }

    /// What stands above all rows, also where there are none.
    pub(super) fn head(&self) -> Result<String, Failure> {
        match self {
            Self::Csv => csv_lines([COLUMNS.map(str::to_owned)]),
            Self::Table(_) | Self::Json => Ok(String::new()),
        }
    }

    /// The lines of a page.
    pub(super) fn page(&mut self, page: &Response<LeadPage>) -> Result<String, Failure> {
        match self {
            Self::Table(table) => Ok(table.rows(&page.items.iter().map(row).collect::<Vec<_>>())),
            Self::Csv => csv_lines(page.items.iter().map(record)),
            // As many as were left on the page, in the form in which they were received.
            Self::Json => Ok(raw_items(page).iter().take(page.items.len()).map(line).collect()),
        }
    }
}

/// A lead in a few words.
fn row(lead: &Lead) -> [String; 6] {
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    [
        lead.captured_at.to_rfc3339_opts(SecondsFormat::Secs, true),
        lead.id.clone(),
        text(&lead.name),
        text(&lead.email),
        text(&lead.article_id),
        text(&lead.message),
    ]
}

/// A lead with everything. Whatever a form asked for beyond the usual stands in one column as JSON.
fn record(lead: &Lead) -> [String; 17] {
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    let map = |members: serde_json::Value| if members == json!({}) { String::new() } else { members.to_string() };
    let record = [
        lead.id.clone(),
        lead.captured_at.to_rfc3339(),
        lead.website_id.clone(),
        text(&lead.article_id),
        text(&lead.email),
        text(&lead.name),
        text(&lead.company),
        text(&lead.phone),
        text(&lead.message),
        map(json!(lead.fields)),
        text(&lead.source.form_id),
        text(&lead.source.page_url),
        text(&lead.source.referrer),
        map(json!(lead.source.utm)),
        lead.consent.given.to_string(),
        lead.consent.at.map(|time| time.to_rfc3339()).unwrap_or_default(),
        text(&lead.consent.text),
    ];
    record.map(|value| harmless(&value))
}

/// Records as lines of CSV.
fn csv_lines(records: impl IntoIterator<Item = [String; 17]>) -> Result<String, Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::new(Exit::Failed, format!("no table can be made: {error}"));
    let mut table = csv::Writer::from_writer(Vec::new());
    for record in records {
        table.write_record(&record).map_err(|error| broken(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| broken(&error))?;
    String::from_utf8(bytes).map_err(|error| broken(&error))
}
