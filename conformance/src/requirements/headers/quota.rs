//! `RateLimit`: the remaining requests of each quota, and the seconds until it is full again.

use http::HeaderMap;

use crate::check::Source::{Sentence, Standard};
use crate::check::header_fields::{joined, quota_name, quota_number, quotas};
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

const CLAUSE: &str = "RateLimit is a list of \"name\";r=remaining;t=seconds. Both are whole numbers of at least 0, and t is at most the window w of the policy with that name.";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "headers.quota.form",
            CLAUSE,
            &[
                Sentence("Rest of the quota, as `\"name\";r=remaining;t=seconds until it is full again`."),
                Sentence("`t` is at most the window of the policy."),
                Standard("draft-ietf-httpapi-ratelimit-headers-11", "4"),
            ],
            call_each_operation,
        )
        .observing(form),
    ]
}

fn form(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    operation.answer_header(exchange.status, "ratelimit")?;
    exchange.headers.contains_key("ratelimit").then_some(())?;
    Some(fault(&exchange.headers).map_or(Ok(()), |fault| {
        Err(Finding::new(CLAUSE.trim_end_matches('.'), format!("{fault} in {}", exchange.line())))
    }))
}

/// Returns the first fault of the quotas in a response.
fn fault(headers: &HeaderMap) -> Option<String> {
    let Some(rests) = quotas(&joined(headers, "ratelimit")) else {
        return Some("not a list of strings with parameters".to_owned());
    };
    let policies = quotas(&joined(headers, "ratelimit-policy")).unwrap_or_default();
    rests.iter().find_map(|rest| {
        let name = quota_name(rest);
        if quota_number(rest, "r").is_none() {
            return Some(format!("r of {name:?} is not a whole number of at least 0"));
        }
        let seconds = quota_number(rest, "t");
        if rest.params.contains_key("t") && seconds.is_none() {
            return Some(format!("t of {name:?} is not a whole number of at least 0"));
        }
        let policy = policies.iter().find(|policy| quota_name(policy) == name);
        let (seconds, window) = (seconds?, quota_number(policy?, "w")?);
        (seconds > window).then(|| format!("t={seconds} of {name:?}, which has the window w={window}"))
    })
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::fault;

    fn headers(quotas: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("ratelimit-policy", HeaderValue::from_static("\"a\";q=10;w=60, \"b\";q=5;w=1"));
        headers.insert("ratelimit", HeaderValue::from_static(quotas));
        headers
    }

    #[test]
    fn quotas_have_whole_numbers_and_a_time_within_their_window() {
        for right in ["\"a\";r=9;t=60", "\"b\";r=0;t=0", "\"a\";r=9", "\"a\";r=1;t=7, \"b\";r=1;t=1", "\"c\";r=1;t=900"]
        {
            assert_eq!(fault(&headers(right)), None, "{right}");
        }
        for wrong in ["\"a\";r=9;t=61", "\"a\";r=9;t=-1", "\"a\";r=9;t=1.5", "\"a\";t=1", "a;r=1", "\"b\";r=1;t=2", "9"]
        {
            assert!(fault(&headers(wrong)).is_some(), "{wrong}");
        }
    }
}
