//! Leads as lines of CSV (RFC 4180) that a spreadsheet opens. Strangers write what stands in a lead, so no cell begins a formula.

use std::fmt::Write as _;

use serde_json::json;

use crate::domain::lead::Lead;
use crate::domain::personal::Personal;

/// The first line, after the mark by which spreadsheets know UTF-8.
pub(super) const HEAD: &str = "\u{feff}id,captured_at,website_id,article_id,email,name,company,phone,message,fields,form_id,\
                               page_url,referrer,utm,consent_given,consent_at,consent_text\r\n";

/// The lines of these leads.
pub(super) fn lines(leads: &[Lead]) -> String {
    let mut text = String::new();
    for lead in leads {
        for (number, value) in record(lead).iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            push_cell(&mut text, &harmless(value));
        }
        text.push_str("\r\n");
    }
    text
}

/// A lead with everything. Whatever a form asked for beyond the usual stands in one column as JSON.
fn record(lead: &Lead) -> [String; 17] {
    let text = |member: &Option<Personal<String>>| member.as_ref().map(|text| text.to_string()).unwrap_or_default();
    let map = |members: serde_json::Value| if members == json!({}) { String::new() } else { members.to_string() };
    [
        lead.id.clone(),
        lead.captured_at.to_string(),
        lead.website_id.clone(),
        lead.article_id.clone().unwrap_or_default(),
        text(&lead.email),
        text(&lead.name),
        text(&lead.company),
        text(&lead.phone),
        text(&lead.message),
        map(json!(*lead.fields)),
        text(&lead.source.form_id),
        text(&lead.source.page_url),
        text(&lead.source.referrer),
        map(json!(*lead.source.utm)),
        lead.consent.given.to_string(),
        lead.consent.at.map(|time| time.to_string()).unwrap_or_default(),
        text(&lead.consent.text),
    ]
}

fn push_cell(line: &mut String, value: &str) {
    if value.contains([',', '"', '\r', '\n']) {
        line.push('"');
        line.push_str(&value.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(value);
    }
}

/// A text that no spreadsheet takes for a formula: a `'` stands before what one would begin with. The full-width forms count too,
/// since some programs read them as the narrow ones. What steers a terminal is shown as `\u{…}`.
fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            write!(shown, "{}", letter.escape_unicode()).expect("writing to a String does not fail");
        } else {
            shown.push(letter);
        }
    }
    if shown.starts_with(['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠']) {
        shown.insert(0, '\'');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for text in ["=1+1", "+49 30 1", "-2", "@SUM(A1)", "\t=1", "\r\n=1", "＝1"] {
            assert!(harmless(text).starts_with('\''), "{text:?}");
        }
        assert_eq!(harmless("\r=1"), r"\u{d}=1");
        assert_eq!(harmless("a=b\u{1b}[2J"), r"a=b\u{1b}[2J");
    }

    #[test]
    fn a_cell_is_quoted_where_it_would_end_early() {
        let cell = |value: &str| {
            let mut line = String::new();
            push_cell(&mut line, value);
            line
        };
        assert_eq!(cell("plain ü"), "plain ü");
        assert_eq!(cell("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(HEAD.split(',').count(), 17);
    }
}
