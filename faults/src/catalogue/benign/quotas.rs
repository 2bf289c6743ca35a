//! Other valid forms and counts of quotas.

use super::super::fault::{Fault, Profile, variant};
use super::super::limits::purse::{self, Quota};
use crate::memory::Memory;
use crate::message::{Request, Response};

/// Headers that show a quota.
const NAMES: [&str; 2] = ["ratelimit-policy", "ratelimit"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.quota-spaced",
        "Parameters of quotas have another order and spaces before them: RFC 9651 3.1.2 gives them no order.",
        Profile::Full,
    )
    .response(|response, _, _| NAMES.iter().for_each(|name| response.change(name, spaced))),
    variant(
        "benign.quota-parameters",
        "Quotas have custom parameters: draft-ietf-httpapi-ratelimit-headers-11 allows them.",
        Profile::Full,
    )
    .response(|response, _, _| {
        for name in NAMES {
            response.change(name, |quotas| edit_quotas(quotas, with_more));
        }
    }),
    variant(
        "benign.quota-sharded",
        "r is up to two requests too low: \"If several servers count, `r` may be off by some requests.\"",
        Profile::Full,
    )
    .response(|response, _, memory| {
        if let Some(quota) = Quota::of(response) {
            let off = memory.next_number("responses") * 2 % 3;
            purse::set_left(response, quota.left.saturating_sub(off));
        }
    }),
    variant(
        "benign.quota-sliding",
        "t is the whole window: in a sliding window, the last request counts for that long.",
        Profile::Full,
    )
    .response(sliding),
];

/// Rewrites every item of a header with `write`, from its name and its parameters.
fn edit_quotas(quotas: &str, write: impl Fn(&str, &[&str]) -> String) -> String {
    let items = quotas.split(',').map(|quota| {
        let mut parts = quota.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        write(name, &parts.collect::<Vec<_>>())
    });
    items.collect::<Vec<_>>().join(", ")
}

fn with_more(name: &str, parameters: &[&str]) -> String {
    let parameters = parameters.join(";");
    format!("{name};acme-note=\"a, b;r=0;q=1\";pk=:dGhlIGtleQ==:;acme-shared;{parameters};acme-cost=1.5")
}

fn spaced(quotas: &str) -> String {
    edit_quotas(quotas, |name, parameters| {
        let reversed: Vec<&str> = parameters.iter().rev().copied().collect();
        format!("{name};  {}", reversed.join("; "))
    })
}

fn sliding(response: &mut Response, _: &Request, _: &Memory) {
    let Some(quota) = Quota::of(response).filter(|quota| quota.left < quota.requests) else { return };
    let window = format!("t={}", quota.window.as_secs());
    response.change("ratelimit", |quotas| {
        edit_quotas(quotas, |name, parameters| {
            let told = parameters.iter().map(|part| if part.starts_with("t=") { window.as_str() } else { *part });
            [name].into_iter().chain(told).collect::<Vec<_>>().join(";")
        })
    });
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn parameters_come_in_another_order() {
        assert_eq!(spaced("\"api\";q=120;w=60, \"day\";q=9"), "\"api\";  w=60; q=120, \"day\";  q=9");
    }
}
