//! Whether two representations have two entity tags.

use crate::check::{Exchange, Halt, Verdict, demand, ensure};

/// Other bytes, another tag.
pub(crate) fn differ(before: &Exchange, after: &Exchange) -> Verdict {
    if before.body == after.body {
        return Err(Halt::inconclusive("nothing changed in between"));
    }
    let (old, new) = (demand::header(before, "etag")?, demand::header(after, "etag")?);
    ensure(old != new, "another ETag for another body", || format!("{old} for both"))
}
