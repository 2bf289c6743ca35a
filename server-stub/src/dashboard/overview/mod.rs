//! Overview: first steps, reminders and recent statistics.

mod chart;
mod page;
mod reminder;
mod routes;

pub(super) use routes::routes;
