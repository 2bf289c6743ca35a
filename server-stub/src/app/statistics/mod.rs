//! Statistics of an account over the last days, its first steps, and problems that need attention.

mod attention;
mod daily_counts;

pub use attention::{Attention, Subject};
pub(super) use daily_counts::StatisticsCache;
pub use daily_counts::{DailyStatistics, STATISTICS_DAYS};
