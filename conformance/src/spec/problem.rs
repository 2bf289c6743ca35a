//! The document's table of problem codes.
//!
//! `requirements` check that responses match it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::SpecError;

/// One row of the table `x-problem-codes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemKind {
    /// The HTTP status that carries the code.
    pub status: u16,
    /// The constant `title`.
    pub title: String,
    /// The problem type, if the table contains it.
    pub type_uri: Option<String>,
}

/// Parses the table of `document`. A document without a table allows any code.
pub(super) fn table(document: &Value) -> Result<BTreeMap<String, ProblemKind>, SpecError> {
    let rows = match &document["x-problem-codes"] {
        Value::Null => return Ok(BTreeMap::new()),
        rows => rows.as_object().ok_or_else(|| SpecError::Missing("x-problem-codes".to_owned()))?,
    };
    rows.iter()
        .map(|(code, row)| {
            let status = row["status"]
                .as_u64()
                .and_then(|status| u16::try_from(status).ok())
                .ok_or_else(|| SpecError::Missing(format!("status for problem {code}")))?;
            let kind = ProblemKind {
                status,
                title: row["title"].as_str().unwrap_or_default().to_owned(),
                type_uri: row["type"].as_str().map(ToOwned::to_owned),
            };
            Ok((code.clone(), kind))
        })
        .collect()
}
