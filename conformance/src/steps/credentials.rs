//! What is said about credentials that were refused.

use crate::check::{Exchange, Verdict, demand, ensure};

/// `WWW-Authenticate` begins with the scheme and holds `part`.
pub(crate) fn challenge(exchange: &Exchange, part: &str) -> Verdict {
    let value = demand::header(exchange, "www-authenticate")?.to_lowercase();
    let holds = value.starts_with("bearer") && value.contains(part);
    ensure(holds, format!("WWW-Authenticate: Bearer … {part}"), || value.clone())
}
