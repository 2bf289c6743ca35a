//! Removes parameters from the server's `WWW-Authenticate` challenge.

/// Parameters that give the reason for refusing a key.
pub(super) const REASON: [&str; 4] = ["error", "error_description", "error_uri", "scope"];
/// Parameters that may name a missing scope.
pub(super) const SCOPE: [&str; 2] = ["scope", "error_description"];

/// Returns a challenge without the parameters of these names.
pub(super) fn without(challenge: &str, names: &[&str]) -> String {
    let mut kept = String::new();
    let mut has_parameter = false;
    for part in parts(challenge) {
        let (start, name) = match part.split_once('=') {
            Some((start, _)) => (start.trim_end(), start.split_whitespace().next_back().unwrap_or_default()),
            None => (part, ""),
        };
        let is_dropped = names.iter().any(|dropped| dropped.eq_ignore_ascii_case(name));
        // A part that begins with a scheme starts another challenge. Keep the scheme.
        let scheme = start[..start.len() - name.len()].trim_end();
        let said = if is_dropped { scheme } else { part };
        if said.is_empty() {
            continue;
        }
        if !kept.is_empty() {
            kept.push_str(if scheme.is_empty() && !has_parameter { " " } else { ", " });
        }
        kept.push_str(said);
        has_parameter = !is_dropped && !name.is_empty();
    }
    kept
}

/// Splits at commas, except within quotation marks.
fn parts(challenge: &str) -> Vec<&str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let outside = |letter: char| {
        let is_end = letter == ',' && !is_quoted;
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
        is_end
    };
    challenge.split(outside).map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{REASON, SCOPE, without};

    #[test]
    fn parameters_are_taken_out_of_a_challenge() {
        let challenge = r#"Bearer realm="a, \"b\"", error="insufficient_scope", scope="leads:read""#;
        assert_eq!(without(challenge, &REASON), r#"Bearer realm="a, \"b\"""#);
        assert_eq!(without(challenge, &SCOPE), r#"Bearer realm="a, \"b\"", error="insufficient_scope""#);
        assert_eq!(without(r#"Bearer error="invalid_token",realm=x"#, &REASON), "Bearer realm=x");
        assert_eq!(without("bearer Error=invalid_token", &REASON), "bearer");
        assert_eq!(without("Bearer scope=a, Basic realm=b", &SCOPE), "Bearer, Basic realm=b");
        assert_eq!(without("Bearer", &SCOPE), "Bearer");
    }
}
