//! Overview: first steps, reminders and recent statistics.

mod chart;
pub(super) mod page;
