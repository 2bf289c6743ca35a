//! Statistics of an account over the last days, its first steps, and problems that need attention.

mod attention;
mod cache;
mod daily_counts;
mod first_steps;

pub use attention::{Attention, Subject};
pub(super) use cache::StatisticsCache;
pub use daily_counts::{DailyStatistics, STATISTICS_DAYS};
