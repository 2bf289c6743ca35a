//! Settings of a website's lead forms.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

/// Maximum length of a consent text in characters (`consent_text_length` under `x-limits`).
pub const MAX_CONSENT_TEXT_CHARS: usize = 1000;
/// Time for which a replaced consent text is still accepted, for forms that were already open (`former_consent_texts`).
pub const FORMER_CONSENT_TEXT_VALID_FOR: Duration = Duration::from_hours(7 * 24);
/// Maximum number of replaced consent texts that are stored for a website.
pub const MAX_FORMER_CONSENT_TEXTS: u32 = 50;
/// Consent text of the hosted form for a website without a consent text.
pub const DEFAULT_CONSENT_TEXT: &str = "You may use my address to answer me.";

/// Settings of a website's lead forms, with the field names of the API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadForm {
    /// Text beside the consent box: 1 to 1000 characters on one line. `None` requests no consent.
    pub consent_text: Option<String>,
    /// Privacy page: https, or http on a loopback host; at most 2048 characters.
    pub privacy_url: Option<String>,
    /// True if a lead is pending until the person confirms it with a signed link.
    #[serde(default)]
    pub double_opt_in: bool,
}

impl LeadForm {
    /// Returns the settings with trimmed texts; empty texts become `None`.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Self { consent_text: trimmed(self.consent_text), privacy_url: trimmed(self.privacy_url), ..self }
    }

    /// Returns the consent text of the hosted form.
    pub fn shown_consent_text(&self) -> &str {
        self.consent_text.as_deref().unwrap_or(DEFAULT_CONSENT_TEXT)
    }
}

/// Returns true if `origin`, as a browser sends it, belongs to the website with this address. The origin of the address does, and so does
/// the same origin with `www.` added to its domain or removed from it.
pub fn is_own_origin(website_url: &str, origin: &str) -> bool {
    let Ok(url) = Url::parse(website_url) else { return false };
    let other = url.domain().and_then(|domain| match domain.strip_prefix("www.") {
        // A single label, such as `com` or `localhost`, is no website's domain.
        Some(apex) => apex.contains('.').then(|| apex.to_owned()),
        None => domain.contains('.').then(|| format!("www.{domain}")),
    });
    let other = other.and_then(|domain| {
        let mut url = url.clone();
        url.set_host(Some(&domain)).is_ok().then_some(url)
    });
    [Some(url), other].iter().flatten().any(|url| url.origin().ascii_serialization() == origin)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_domain_with_and_without_www_is_one_website_and_no_other_origin_is() {
        for (url, own) in [
            ("https://example.com/shop?a#b", "https://example.com"),
            ("https://example.com", "https://www.example.com"),
            ("https://www.example.com", "https://example.com"),
            ("https://WWW.B\u{fc}cher.example", "https://xn--bcher-kva.example"),
            ("https://shop.example.com:8443", "https://www.shop.example.com:8443"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ] {
            assert!(is_own_origin(url, own), "{url} {own}");
        }
        for (url, other) in [
            ("https://example.com", "http://example.com"),
            ("https://example.com", "https://example.com:8443"),
            ("https://example.com", "https://shop.example.com"),
            ("https://example.com", "https://wwwexample.com"),
            ("https://example.com", "https://www.www.example.com"),
            ("https://example.com", "https://www.example.com.evil.example"),
            ("https://example.com", "https://www.example.com/"),
            ("https://www.example.com", "https://www.www.example.com"),
            ("https://shop.example.com", "https://example.com"),
            ("https://www.com", "https://com"),
            ("http://localhost", "http://www.localhost"),
            ("http://127.0.0.1", "http://www.127.0.0.1"),
            ("not a url", "null"),
        ] {
            assert!(!is_own_origin(url, other), "{url} {other}");
        }
    }

    proptest! {
        #[test]
        fn both_addresses_of_a_website_have_the_same_origins(
            domain in "[a-z]{1,8}\\.[a-z]{2,8}",
            origin in "https?://(www\\.){0,2}[a-z]{1,2}\\.[a-z]{2}(:[1-9][0-9]{0,3})?",
        ) {
            let [apex, www] = [format!("https://{domain}"), format!("https://www.{domain}")];
            for origin in [&origin, &apex, &www] {
                prop_assert_eq!(is_own_origin(&apex, origin), is_own_origin(&www, origin), "{}", origin);
            }
            prop_assert!(is_own_origin(&apex, &www) && is_own_origin(&www, &apex));
        }
    }

    #[test]
    fn an_empty_text_is_none() {
        let typed = LeadForm {
            consent_text: Some("  ".to_owned()),
            privacy_url: Some(" https://a.example ".to_owned()),
            ..LeadForm::default()
        };
        let expected =
            LeadForm { consent_text: None, privacy_url: Some("https://a.example".to_owned()), ..LeadForm::default() };
        assert_eq!(typed.trimmed(), expected);
    }
}
