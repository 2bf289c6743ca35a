//! What `RateLimit` tells of the quota: a number of requests, and after how many seconds it is whole again.

use http::HeaderMap;
use sfv::{Item, List, ListEntry, Parser};

use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::call_each_operation;

const CLAUSE: &str = "RateLimit is a list of \"name\";r=remaining;t=seconds: whole numbers that are not negative, and t is not larger than the window w of the policy of that name.";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "headers.quota.form",
            CLAUSE,
            "draft-ietf-httpapi-ratelimit-headers-11, section 4; openapi.yaml, RateLimit",
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

/// What is wrong with the quotas that an answer tells of.
fn fault(headers: &HeaderMap) -> Option<String> {
    let Some(quotas) = items(headers, "ratelimit") else {
        return Some("no list of strings with parameters".to_owned());
    };
    let policies = items(headers, "ratelimit-policy").unwrap_or_default();
    quotas.iter().find_map(|quota| {
        let name = name(quota);
        let window = policies.iter().find(|policy| self::name(policy) == name).and_then(|policy| number(policy, "w"));
        let left = number(quota, "r").filter(|left| *left >= 0);
        let seconds = number(quota, "t");
        let has_seconds = quota.params.get("t").is_some();
        if left.is_none() {
            return Some(format!("r of {name:?} is no whole number that is not negative"));
        }
        if has_seconds && seconds.is_none_or(|seconds| seconds < 0) {
            return Some(format!("t of {name:?} is no whole number that is not negative"));
        }
        let (seconds, window) = (seconds?, window?);
        (seconds > window).then(|| format!("t={seconds} of {name:?}, whose window has w={window}"))
    })
}

/// The items of a list that are strings; `None` where the header is anything else.
fn items(headers: &HeaderMap, name: &str) -> Option<Vec<Item>> {
    let lines: Vec<_> = headers.get_all(name).iter().map(http::HeaderValue::as_bytes).collect();
    let list = Parser::new(&lines.join(&b", "[..])).parse::<List>().ok()?;
    list.into_iter()
        .map(|entry| match entry {
            ListEntry::Item(item) if item.bare_item.as_string().is_some_and(|name| !name.as_str().is_empty()) => {
                Some(item)
            }
            _ => None,
        })
        .collect()
}

fn name(item: &Item) -> &str {
    item.bare_item.as_string().map_or("", |name| name.as_str())
}

fn number(item: &Item, name: &str) -> Option<i64> {
    item.params.get(name)?.as_integer().map(i64::from)
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
    fn quotas_tell_whole_numbers_and_no_time_beyond_their_window() {
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
