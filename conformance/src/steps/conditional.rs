//! Entity tags of representations.

use crate::check::{Exchange, Halt, Verdict, demand, ensure};

/// Demands another ETag if the bytes differ.
pub(crate) fn differ(before: &Exchange, after: &Exchange) -> Verdict {
    if before.body == after.body {
        return Err(Halt::inconclusive("nothing changed in between"));
    }
    let (old, new) = (demand::header(before, "etag")?, demand::header(after, "etag")?);
    ensure(old != new, "another ETag for another body", || format!("{old} for both"))
}

/// Returns true if the response is compressed. Then a gateway may have weakened, changed or removed its `ETag`.
pub(crate) fn is_compressed(exchange: &Exchange) -> bool {
    exchange.headers.contains_key("content-encoding")
}
