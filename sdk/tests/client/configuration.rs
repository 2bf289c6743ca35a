//! What a client is built from, and what is refused with which advice.

use contentgen_sdk::{Client, ConfigError, Error, ErrorKind};

use super::KEY;

/// The message for a base URL that is refused.
fn refusal(url: &str) -> String {
    match Client::builder().base_url(url).api_key(KEY).build() {
        Err(error @ ConfigError::InvalidBaseUrl(_)) => error.to_string(),
        other => panic!("{url:?} gave {other:?}"),
    }
}

#[test]
fn a_base_url_that_cannot_be_used_is_refused_with_the_reason() {
    assert!(refusal("example.com").contains("https://host"));
    assert!(refusal("ftp://example.com").contains("scheme"));
    assert!(refusal("https://key@example.com").contains("credentials"));
    assert!(refusal("https://example.com/?a=b").contains("query"));
}

#[test]
fn what_is_missing_is_named_with_the_variable_that_holds_it() {
    let error = Client::builder().api_key(KEY).build().unwrap_err();
    assert!(matches!(error, ConfigError::MissingBaseUrl) && error.to_string().contains("CONTENTGEN_BASE_URL"));
    let error = Client::builder().base_url("http://127.0.0.1:1").build().unwrap_err();
    assert!(matches!(error, ConfigError::MissingKey) && error.to_string().contains("CONTENTGEN_API_KEY"));
    assert_eq!(format!("{error:?}"), error.to_string(), "what a main shows that returns it");
}

#[test]
fn a_configuration_error_becomes_the_one_error_type() {
    let error = Error::from(Client::builder().build().unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(!error.is_retryable());
}

#[test]
#[cfg(any(feature = "rustls", feature = "native-tls"))]
fn https_needs_no_set_up_by_the_application() {
    // A machine without any certificates is told so; what must not happen is a panic for want of a provider.
    match Client::builder().base_url("https://127.0.0.1:1").api_key(KEY).build() {
        Ok(_) | Err(ConfigError::Transport(_)) => {}
        Err(other) => panic!("{other}"),
    }
}
