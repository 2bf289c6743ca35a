//! The number of jobs that the target's queue accepts.

use crate::spec::Document;

/// Returns how many jobs of one website may be unfinished at the same time.
pub(crate) fn queue_room(document: &Document) -> usize {
    let of = |name: &str| document.limit_number(name, "maximum");
    of("unfinished_jobs_per_website").min(of("unfinished_jobs_per_account"))
}
