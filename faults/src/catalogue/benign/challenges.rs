//! Equivalent forms of challenges.

use super::super::fault::{Fault, Profile, variant};

const NAME: &str = "www-authenticate";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.challenge-listed",
        "The challenge follows one of another scheme: RFC 9110 11.6.1 lets a response have several.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change(NAME, |challenge| format!("DPoP realm=\"a, b\", algs=\"ES256 PS256\", {challenge}"));
    }),
    variant(
        "benign.challenge-lines",
        "A challenge of another scheme has its own header line: RFC 9110 5.3 declares it the same as one list.",
        Profile::Full,
    )
    .response(|response, _, _| {
        if response.header(NAME).is_some() {
            response.append(NAME, "DPoP algs=\"ES256\"");
        }
    }),
    variant(
        "benign.challenge-unquoted",
        "The challenge has error=invalid_token without quotes: RFC 9110 11.2 allows a token or a quoted string.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change(NAME, |challenge| {
            let unquoted = |challenge: String, code: &str| {
                challenge.replace(&format!("error=\"{code}\""), &format!("error={code}"))
            };
            ["invalid_token", "insufficient_scope"].into_iter().fold(challenge.to_owned(), unquoted)
        });
    }),
    variant(
        "benign.challenge-otherwise",
        "The challenge is bearer with another realm after its error: RFC 9110 11 leaves case, realm and order open.",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change(NAME, |challenge| {
            let parameters = challenge.get(7..).unwrap_or_default().replace("realm=\"content-generation\", ", "");
            let rest = parameters.strip_prefix("realm=\"content-generation\"").unwrap_or(&parameters);
            let separator = if rest.is_empty() { "" } else { ", " };
            format!("bearer {rest}{separator}realm=\"Acme \\\"API\\\"\"")
        });
    }),
];
