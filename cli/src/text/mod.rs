//! Sanitizes texts from others for their output: terminals, tables, JSON, spreadsheets.

mod json;
mod plain;
mod spreadsheet;
mod table;
mod time;
mod visible;

pub(crate) use json::{document, line};
pub(crate) use plain::plain;
pub(crate) use spreadsheet::{BYTE_ORDER_MARK, harmless};
pub(crate) use table::{Column, Table, facts};
pub(crate) use time::time;
pub(crate) use visible::{on_one_line, visible};
