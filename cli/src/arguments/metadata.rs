//! Labels on the command line.

/// Parses `name=value`; the value may contain further `=`.
pub(super) fn parse(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as name=value".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_equals_sign_divides() {
        assert_eq!(parse("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(parse("a="), Ok(("a".to_owned(), String::new())));
        assert!(parse("=b").is_err() && parse("a").is_err());
    }
}
