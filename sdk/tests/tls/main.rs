//! https over the loopback interface, with certificates that are made for each test. This covers rustls; `sdk/svix` covers the
//! operating system's library. Run the case without TLS by
//!
//! ```sh
//! cargo test --locked -p contentgen-sdk --no-default-features --test tls
//! ```
//!
//! Tests trust their certificates by `SSL_CERT_FILE`, which rustls reads on Linux only.

#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod authority;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod calls;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod https_proxy;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod no_certificates;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod own_certificates;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod process;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod provider;
#[cfg(all(feature = "rustls", not(feature = "native-tls"), target_os = "linux"))]
mod server;

/// Without a TLS feature, building a client for https fails.
#[cfg(not(any(feature = "rustls", feature = "native-tls")))]
#[test]
fn without_tls_https_is_refused_with_what_to_do_and_http_is_not() {
    use contentgen_sdk::{Client, ConfigError};

    let build = |url: &str| Client::builder().base_url(url).api_key("live_4f9zSecretOfTheTests").build();
    let refusal = build("https://localhost:1").unwrap_err();
    assert!(matches!(refusal, ConfigError::Transport(_)));
    let text = refusal.to_string();
    assert!(text.contains("https needs the feature `rustls` or `native-tls`") && !text.contains("live_"), "{text}");
    assert!(build("http://localhost:1").is_ok());
}
