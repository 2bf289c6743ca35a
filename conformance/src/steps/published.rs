//! Articles that were published, and what must have been met on the way.

use crate::check::{Halt, Verdict};

pub(crate) fn ensure_met(is_met: bool, reason: &str) -> Verdict {
    if is_met { Ok(()) } else { Err(Halt::inconclusive(reason)) }
}
