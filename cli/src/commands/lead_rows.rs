//! Leads as lines: of a table for people, of CSV for spreadsheets, of JSON for programs.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use contentgen_sdk::Response;
use contentgen_sdk::types::{Lead, LeadPage, LeadSpam};
use serde_json::{Value, json};

use super::raw::raw_items;
use crate::failure::{Exit, Failure};
use crate::text::{BYTE_ORDER_MARK, Table, harmless, line, time};

/// First line of the CSV, as in the export of the dashboard.
const COLUMNS: [&str; 24] = [
    "id",
    "captured_at",
    "website_id",
    "article_id",
    "email",
    "name",
    "company",
    "phone",
    "phone_typed",
    "message",
    "fields",
    "form_id",
    "page_url",
    "referrer",
    "utm",
    "consent_given",
    "consent_at",
    "consent_text",
    "spam_suspected",
    "spam_score",
    "spam_reasons",
    "confirmation",
    "confirmed_at",
    "updated_at",
];

/// Output format of leads.
pub(super) enum Rows {
    Table(Table<6>),
    Csv(Cells),
    Json,
}

/// Treatment of the texts in a table for spreadsheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Escaped, after a byte order mark: no text is a formula for a spreadsheet or controls a terminal.
    Harmless { is_file: bool },
    /// Unchanged, for programs.
    Raw,
}

impl Rows {
    pub(super) fn new(csv: Option<Cells>, is_json: bool) -> Self {
        match (csv, is_json) {
            (Some(cells), _) => Self::Csv(cells),
            (None, true) => Self::Json,
            (None, false) => Self::Table(Table::new(["CAPTURED", "ID", "NAME", "EMAIL", "ARTICLE", "MESSAGE"])),
        }
    }

    /// Returns the heading, which is also printed if there are no rows.
    pub(super) fn head(&self) -> Result<String, Failure> {
        match self {
            Self::Csv(cells) => {
                let mark = if *cells == Cells::Raw { "" } else { BYTE_ORDER_MARK };
                Ok(format!("{mark}{}", csv_lines([COLUMNS.map(str::to_owned)])?))
            }
            Self::Table(_) | Self::Json => Ok(String::new()),
        }
    }

    /// Returns the lines of a page, limited to its first `most` leads.
    pub(super) fn page(&mut self, page: &Response<LeadPage>, most: usize) -> Result<String, Failure> {
        let leads = page.items.iter().take(most);
        match self {
            Self::Table(table) => Ok(table.rows(&leads.map(row).collect::<Vec<_>>())),
            Self::Csv(cells) => csv_lines(leads.map(|lead| record(lead, *cells))),
            // In the form in which they were received.
            Self::Json => Ok(raw_items(page).iter().take(leads.len()).map(line).collect()),
        }
    }
}

/// Formats a lead as a short row.
fn row(lead: &Lead) -> [String; 6] {
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    [
        time(lead.captured_at),
        lead.id.clone(),
        text(&lead.name),
        text(&lead.email),
        text(&lead.article_id),
        text(&lead.message),
    ]
}

/// Formats the reasons of a spam rating.
pub(super) fn reasons(spam: &LeadSpam) -> String {
    spam.reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Formats a time like the API.
fn exact(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Formats all data of a lead as a record. The extra fields of its form are JSON in one column, sorted by their names.
fn record(lead: &Lead, cells: Cells) -> [String; COLUMNS.len()] {
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    let map = |members: Value| match members {
        Value::Object(members) if !members.is_empty() => {
            json!(members.into_iter().collect::<BTreeMap<_, _>>()).to_string()
        }
        _ => String::new(),
    };
    let spam = |member: fn(&LeadSpam) -> String| lead.spam.as_ref().map(member).unwrap_or_default();
    let record = [
        lead.id.clone(),
        exact(lead.captured_at),
        lead.website_id.clone(),
        text(&lead.article_id),
        text(&lead.email),
        text(&lead.name),
        text(&lead.company),
        text(&lead.phone),
        text(&lead.phone_typed),
        text(&lead.message),
        map(json!(lead.fields)),
        text(&lead.source.form_id),
        text(&lead.source.page_url),
        text(&lead.source.referrer),
        map(json!(lead.source.utm)),
        lead.consent.given.to_string(),
        lead.consent.at.map(exact).unwrap_or_default(),
        text(&lead.consent.text),
        spam(|spam| spam.suspected.to_string()),
        spam(|spam| spam.score.to_string()),
        spam(reasons),
        lead.confirmation.as_ref().map(|confirmation| confirmation.status.to_string()).unwrap_or_default(),
        lead.confirmation.as_ref().and_then(|confirmation| confirmation.confirmed_at).map(exact).unwrap_or_default(),
        exact(lead.updated_at),
    ];
    match cells {
        Cells::Harmless { is_file } => record.map(|value| harmless(&value, is_file)),
        Cells::Raw => record,
    }
}

/// Formats records as lines of CSV (RFC 4180). All cells are quoted, because some spreadsheets split cells at semicolons or tabs.
fn csv_lines(records: impl IntoIterator<Item = [String; COLUMNS.len()]>) -> Result<String, Failure> {
    let broken =
        |error: &dyn std::fmt::Display| Failure::new(Exit::Failed, format!("cannot write the CSV table: {error}"));
    let mut table = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for record in records {
        table.write_record(&record).map_err(|error| broken(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| broken(&error))?;
    String::from_utf8(bytes).map_err(|error| broken(&error))
}
