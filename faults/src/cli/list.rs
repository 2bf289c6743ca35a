//! `list`: the catalogue for people and for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::arguments::ListArguments;
use crate::catalogue::{Fault, Kind, Profile, all};

/// Public form of a fault.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    name: &'static str,
    area: &'static str,
    description: &'static str,
    /// `fault` or `variant`.
    kind: &'static str,
    /// Requirements of the suite. One of them must notice the fault.
    noticed_by: &'static [&'static str],
    /// Profile that a variant keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps: Option<&'static str>,
}

impl From<Fault> for Row {
    fn from(fault: Fault) -> Self {
        let (kind, noticed_by, keeps) = match fault.kind {
            Kind::Broken(requirements) => ("fault", requirements, None),
            Kind::Benign(Profile::Core) => ("variant", [].as_slice(), Some("core")),
            Kind::Benign(Profile::Full) => ("variant", [].as_slice(), Some("full")),
        };
        Self { name: fault.name, area: fault.area(), description: fault.description, kind, noticed_by, keeps }
    }
}

pub(super) fn list(arguments: &ListArguments) -> io::Result<()> {
    let is_wanted = |row: &Row| {
        arguments.only.is_empty() || arguments.only.iter().any(|prefix| row.name.starts_with(prefix.as_str()))
    };
    let rows: Vec<Row> = all().map(Row::from).filter(is_wanted).collect();
    let mut output = io::stdout().lock();
    if arguments.json {
        return writeln!(output, "{}", serde_json::to_string_pretty(&rows)?);
    }
    rows.iter().try_for_each(|row| writeln!(output, "{:44} {}", row.name, row.description))
}
