//! Leads as lines: of a table for people, of CSV for spreadsheets, of JSON for programs.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use contentgen_sdk::types::{Lead, LeadSpam};
use serde_json::{Value, json};

use super::personal::impersonal;
use crate::failure::{Exit, Failure};
use crate::output::Screen;
use crate::text::{BYTE_ORDER_MARK, Column, Table, harmless, time};

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

/// The columns of the table without personal data.
const IMPERSONAL: [Column; 6] = [
    Column::whole("ID"),
    Column::whole("CAPTURED"),
    Column::whole("CONFIRMATION"),
    Column::whole("SPAM"),
    Column::whole("ARTICLE"),
    Column::whole("WEBSITE"),
];
/// The columns of the table with personal data.
const PERSONAL: [Column; 6] = [
    Column::whole("ID"),
    Column::text("EMAIL"),
    Column::text("NAME"),
    Column::text("MESSAGE"),
    Column::whole("CAPTURED"),
    Column::whole("ARTICLE"),
];

/// Output format of leads.
pub(super) enum Rows {
    /// For people, with this row for each lead.
    Table(Table<6>, fn(&Lead) -> [String; 6]),
    /// For spreadsheets, with all data.
    Csv(Cells),
    /// For programs.
    Json { screen: Screen, is_personal: bool },
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
    /// Makes a table with or without personal data.
    pub(super) fn table(is_personal: bool, terminal: Option<usize>) -> Self {
        if is_personal {
            Self::Table(Table::new(PERSONAL, terminal), personal_row)
        } else {
            Self::Table(Table::new(IMPERSONAL, terminal), impersonal_row)
        }
    }

    /// Returns the heading, which is also printed if there are no rows.
    pub(super) fn head(&self) -> Result<String, Failure> {
        match self {
            Self::Csv(cells) => {
                let mark = if *cells == Cells::Raw { "" } else { BYTE_ORDER_MARK };
                Ok(format!("{mark}{}", csv_lines([COLUMNS.map(str::to_owned)])?))
            }
            Self::Table(..) | Self::Json { .. } => Ok(String::new()),
        }
    }

    /// Returns the lines of some leads, as received and as read.
    pub(super) fn page(&mut self, raw: &[Value], leads: &[Lead]) -> Result<String, Failure> {
        match self {
            Self::Table(table, row) => Ok(table.rows(&leads.iter().map(row).collect::<Vec<_>>())),
            Self::Csv(cells) => csv_lines(leads.iter().map(|lead| record(lead, *cells))),
            Self::Json { screen, is_personal: true } => Ok(raw.iter().map(|lead| screen.line(lead)).collect()),
            Self::Json { screen, .. } => Ok(raw.iter().map(|lead| screen.line(&impersonal(lead))).collect()),
        }
    }
}

/// Formats a lead as a short row without personal data.
fn impersonal_row(lead: &Lead) -> [String; 6] {
    let confirmation = lead.confirmation.as_ref().map(|confirmation| confirmation.status.to_string());
    let spam = lead.spam.as_ref().filter(|spam| spam.suspected).map(|_spam| "suspected".to_owned());
    [
        lead.id.clone(),
        time(lead.captured_at),
        confirmation.unwrap_or_default(),
        spam.unwrap_or_default(),
        lead.article_id.clone().unwrap_or_default(),
        lead.website_id.clone(),
    ]
}

/// Formats a lead as a short row with personal data.
fn personal_row(lead: &Lead) -> [String; 6] {
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    [
        lead.id.clone(),
        text(&lead.email),
        text(&lead.name),
        text(&lead.message),
        time(lead.captured_at),
        text(&lead.article_id),
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
