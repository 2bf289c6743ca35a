//! Challenges of refusals, in `WWW-Authenticate`.

use crate::check::{About as _, Exchange, Verdict, ensure, header_fields};

const HEADER: &str = "www-authenticate";

/// Demands a challenge with the scheme Bearer.
pub(crate) fn challenge(exchange: &Exchange) -> Verdict {
    let value = header_fields::joined(&exchange.headers, HEADER);
    let holds = header_fields::challenges_with(&value, "bearer");
    ensure(holds, "WWW-Authenticate with the scheme Bearer", || shown(&value)).about(exchange)
}

/// Demands a Bearer challenge whose parameter `name` contains the word `wanted`.
pub(crate) fn challenge_with(exchange: &Exchange, name: &str, wanted: &str) -> Verdict {
    let value = header_fields::joined(&exchange.headers, HEADER);
    let expected = format!("WWW-Authenticate: Bearer {name}=\"{wanted}\"");
    ensure(has_word(&value, name, wanted), expected, || shown(&value)).about(exchange)
}

fn shown(value: &str) -> String {
    if value.is_empty() { "no WWW-Authenticate".to_owned() } else { value.to_owned() }
}

/// Returns true if a Bearer challenge has the word in this parameter, as a token or quoted, in any letter case.
fn has_word(value: &str, name: &str, wanted: &str) -> bool {
    http_auth::parse_challenges(value).is_ok_and(|challenges| {
        let bearer = challenges.into_iter().filter(|challenge| challenge.scheme.eq_ignore_ascii_case("bearer"));
        bearer.flat_map(|challenge| challenge.params).any(|(found, text)| {
            let text = text.to_unescaped();
            found.eq_ignore_ascii_case(name)
                && text.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn words_of_a_challenge_are_found_in_every_spelling() {
        let challenges = r#"Basic realm="error=x", BEARER Error = invalid_token, scope="jobs:read leads:read""#;
        assert!(has_word(challenges, "error", "invalid_token"));
        assert!(has_word(challenges, "scope", "leads:read") && has_word(challenges, "scope", "jobs:read"));
        assert!(!has_word(challenges, "scope", "leads") && !has_word(challenges, "error", "x"));
        assert!(!has_word(r#"Basic error="invalid_token""#, "error", "invalid_token"));
        assert!(!has_word("Bearer", "error", "invalid_token") && !has_word("", "error", "invalid_token"));
    }
}
