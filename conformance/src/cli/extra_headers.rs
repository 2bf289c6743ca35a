//! `[target] headers`: headers of every request, for an access protection before the target.

use std::collections::BTreeMap;

use http::{HeaderName, HeaderValue};

use super::environment::value_of;
use crate::runner::{ExtraHeader, SetUpError};

/// Headers that the suite sets itself, or that change how a message is parsed.
const OWN: [&str; 25] = [
    "accept",
    "accept-encoding",
    "access-control-request-headers",
    "access-control-request-method",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "idempotency-key",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-unmodified-since",
    "keep-alive",
    "origin",
    "prefer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-request-id",
];

/// Returns the headers with their values; `$NAME` is replaced by the environment variable. No error contains a value.
pub(super) fn extra_headers(table: BTreeMap<String, String>) -> Result<Vec<ExtraHeader>, SetUpError> {
    table.into_iter().map(|(name, written)| extra_header(name, written)).collect()
}

fn extra_header(name: String, written: String) -> Result<ExtraHeader, SetUpError> {
    let refused = |why: &str| SetUpError::Configuration(format!("target.headers: `{name}`: {why}"));
    if HeaderName::from_bytes(name.as_bytes()).is_err() {
        return Err(refused("it is not a valid header name"));
    }
    if OWN.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(refused("the suite sets this header itself; leave it out"));
    }
    let variable = written.strip_prefix('$').map(str::to_owned);
    let value = match &variable {
        Some(variable) if !is_variable(variable) => {
            return Err(refused("write the name of an environment variable after `$`, such as $CF_ACCESS_CLIENT_ID"));
        }
        Some(variable) => value_of(variable)
            .ok_or_else(|| refused(&format!("set the environment variable {variable} to the value of the header")))?,
        None => written,
    };
    if value.is_empty() || HeaderValue::from_str(&value).is_err() {
        return Err(refused("its value must be visible ASCII on one line"));
    }
    Ok(ExtraHeader { name, value, variable })
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::extra_headers;

    fn refused(name: &str, value: &str) -> String {
        let table = [(name.to_owned(), value.to_owned())].into();
        extra_headers(table).unwrap_err().to_string()
    }

    #[test]
    fn a_value_of_the_file_is_taken_as_it_is_and_one_of_the_environment_by_its_name() {
        let table = [("X-Stage".to_owned(), "a $b".to_owned()), ("X-Path".to_owned(), "$PATH".to_owned())].into();
        let headers = extra_headers(table).unwrap();
        assert_eq!((headers[0].name.as_str(), headers[0].variable.as_deref()), ("X-Path", Some("PATH")));
        assert!(headers[0].value.contains('/') && !format!("{headers:?}").contains('/'), "no value shows");
        assert_eq!((headers[1].value.as_str(), headers[1].variable.as_deref()), ("a $b", None));
    }

    #[test]
    fn what_the_suite_sets_itself_and_what_is_no_header_is_refused_without_its_value() {
        for name in ["Authorization", "host", "Content-Type", "Idempotency-Key", "Transfer-Encoding"] {
            assert!(refused(name, "hush").contains("sets this header itself"), "{name}");
        }
        for (name, value, why) in [
            ("a b", "hush", "not a valid header name"),
            ("x-a\r\nhost", "hush", "not a valid header name"),
            ("x-a", "hush\r\nhost: elsewhere", "visible ASCII"),
            ("x-a", "", "visible ASCII"),
            ("x-a", "$", "after `$`"),
            ("x-a", "$hush-hush", "after `$`"),
            ("x-a", "$NO_SUCH_VARIABLE_1", "NO_SUCH_VARIABLE_1"),
        ] {
            let refused = refused(name, value);
            assert!(refused.contains(why) && !refused.contains("hush"), "{refused}");
        }
    }
}
