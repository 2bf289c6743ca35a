//! The first page: first steps, what needs attention, and what happened in the last days.

mod chart;
mod page;
mod reminder;
mod routes;

pub(super) use routes::routes;
