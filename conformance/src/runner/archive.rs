//! Keeps the exchanges of each requirement's first case, for reports that also show passed requirements.
//!
//! A failure always keeps its own exchanges.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::check::{Exchange, Origin};

/// Maximum number of exchanges that are kept of a requirement.
const KEPT: usize = 12;
/// Bytes of each response body that are kept, and bytes once [`MAX_BYTES`] are kept of the whole run.
const KEPT_BODY: usize = 16 * 1024;
const KEPT_LATER: usize = 512;
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Exchanges by requirement, in the order in which they ended.
pub type Archived = BTreeMap<&'static str, Vec<Arc<Exchange>>>;

/// Keeps exchanges, if the settings ask for them.
#[derive(Debug, Default)]
pub(super) struct Archive {
    is_on: bool,
    kept: Mutex<(usize, Archived)>,
}

impl Archive {
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on, ..Self::default() }
    }

    /// Records one exchange, and the case that made it.
    pub(super) fn record(&self, exchange: &Arc<Exchange>, origin: Option<&Origin>) {
        let Some(origin) = origin.filter(|origin| self.is_on && origin.case_index == 0) else { return };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, by_requirement) = &mut *kept;
        let exchanges = by_requirement.entry(origin.requirement).or_default();
        if exchanges.len() < KEPT {
            let exchange = exchange.cut(if *bytes < MAX_BYTES { KEPT_BODY } else { KEPT_LATER });
            *bytes += exchange.body.len() + exchange.request.body.as_ref().map_or(0, bytes::Bytes::len);
            exchanges.push(exchange);
        }
    }

    /// Returns the kept exchanges.
    pub(super) fn take(&self) -> Archived {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::HeaderMap;
    use serde_json::Value;

    use super::*;
    use crate::check::Request;

    fn exchange(length: usize) -> Arc<Exchange> {
        let body = Bytes::from(vec![b'a'; length]);
        Arc::new(Exchange::new(Request::outside("GET", "/"), 200, HeaderMap::new(), body, Duration::ZERO))
    }

    #[test]
    fn only_the_first_case_is_kept_and_only_so_much_of_it() {
        let of_case = |case_index| Origin { requirement: "a.b.c", case_index, case: Value::Null };
        let archive = Archive::new(true);
        for _ in 0..50 {
            archive.record(&exchange(100 * 1024), Some(&of_case(0)));
            archive.record(&exchange(1), Some(&of_case(1)));
            archive.record(&exchange(1), None);
        }
        let lengths: Vec<usize> = archive.take()["a.b.c"].iter().map(|exchange| exchange.body.len()).collect();
        assert_eq!(lengths, [KEPT_BODY; KEPT]);
        let off = Archive::new(false);
        off.record(&exchange(1), Some(&of_case(0)));
        assert!(off.take().is_empty());
    }
}
