//! Requests and responses, whole in memory, for faults to change. This module sends nothing.

mod headers;
mod operation;
mod passage;
mod query;
mod request;
mod response;
mod rest;
mod time;
mod value;

pub use operation::Operation;
pub(crate) use passage::Passage;
pub use request::Request;
pub(crate) use request::encode;
pub use response::{BodyForm, Response};
pub use rest::{BrokenOff, Rest};
pub use time::{edit_times, parse_time, shift_times, write_time};
pub use value::{edit_objects, remove_member};
