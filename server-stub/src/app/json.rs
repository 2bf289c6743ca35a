//! Parses a body as JSON, more strictly than `serde_json`: the contract refuses duplicate field names and deep nesting. This
//! module finds the structure, and `serde_json` parses the strings and numbers in it.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// Maximum nesting depth of arrays and objects.
const MAX_DEPTH: usize = 128;

/// Parses `bytes` as one JSON value (RFC 8259). The error is a sentence that never repeats the input.
///
/// A number without fraction and exponent stays an integer; beyond 64 bits it becomes the nearest bound, which is outside every
/// range of the contract too. A number with a fraction or an exponent is never an integer, not even `1.0`.
pub fn parse(bytes: &[u8]) -> Result<Value, &'static str> {
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err("the body begins with a byte order mark");
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "the body is not UTF-8")?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    if reader.peek().is_none() { Ok(value) } else { Err("the body has text after the JSON value") }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let next = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.at += next.unwrap_or(rest.len());
        self.text.as_bytes().get(self.at).copied()
    }

    /// Consumes `byte` if it is next. Returns true if it was.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, depth: usize) -> Result<Value, &'static str> {
        match self.peek() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => Err("the body is nested too deeply"),
            Some(b'{') => self.object(depth + 1).map(Value::Object),
            Some(b'[') => self.array(depth + 1).map(Value::Array),
            Some(b'"') => self.string().map(Value::String),
            Some(_) => self.word(),
            None => Err("the body ends where a JSON value was expected"),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Map<String, Value>, &'static str> {
        self.at += 1;
        let mut fields = Map::new();
        while !self.take(b'}') {
            if !fields.is_empty() && !self.take(b',') {
                return Err("a comma or a closing brace was expected");
            }
            if self.peek() != Some(b'"') {
                return Err("a field name was expected");
            }
            let name = self.string()?;
            if !self.take(b':') {
                return Err("a colon was expected after a field name");
            }
            if fields.insert(name, self.value(depth)?).is_some() {
                return Err("a field name appears twice in one object");
            }
        }
        Ok(fields)
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Value>, &'static str> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.take(b']') {
            if !items.is_empty() && !self.take(b',') {
                return Err("a comma or a closing bracket was expected");
            }
            items.push(self.value(depth)?);
        }
        Ok(items)
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let (begin, mut is_escaped) = (self.at, false);
        let is_end = |byte: &u8| {
            let is_end = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            is_end
        };
        let length = self.text.as_bytes()[begin + 1..].iter().position(is_end).ok_or("a string is not closed")?;
        self.at += length + 2;
        serde_json::from_str(&self.text[begin..self.at])
            .map_err(|_| "a string contains a control character, an unknown escape or an unpaired surrogate")
    }

    /// Parses a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, &'static str> {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter));
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        let is_integer = !word.contains(['.', 'e', 'E']);
        match serde_json::from_str::<Value>(word) {
            // Also parses `-0`, which `serde_json` makes a fraction.
            Ok(Value::Number(number)) if number.is_f64() && is_integer => Ok(bounded_integer(word)),
            Err(_) if is_huge_number(word) => {
                let bound = if word.starts_with('-') { f64::MIN } else { f64::MAX };
                Ok(if is_integer { bounded_integer(word) } else { bound.into() })
            }
            parsed => parsed.map_err(|_| "a JSON value was expected"),
        }
    }
}

/// Returns true if `word` is a number that no `f64` can hold. `IgnoredAny` checks the grammar without a value.
fn is_huge_number(word: &str) -> bool {
    let is_number = word.starts_with('-') || word.starts_with(|first: char| first.is_ascii_digit());
    is_number && serde_json::from_str::<IgnoredAny>(word).is_ok()
}

/// Returns the integer, or the nearest bound of 64 bits.
fn bounded_integer(digits: &str) -> Value {
    if digits.starts_with('-') {
        digits.parse().unwrap_or(i64::MIN).into()
    } else {
        digits.parse().unwrap_or(u64::MAX).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e300..1e300).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn json_written_by_serde_json_is_read_back(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert_eq!(parse(text.as_bytes()), Ok(value));
        }

        #[test]
        fn json_refused_by_serde_json_is_refused(bytes in prop::collection::vec(prop::sample::select(br#"{}[]",:0123e.-+\ut nfalsr"#.to_vec()), 0..12)) {
            if serde_json::from_slice::<Value>(&bytes).is_err() {
                // A number beyond every f64 is JSON.
                let is_huge = serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
                prop_assert!(parse(&bytes).is_err() || is_huge, "{:?}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn json_refused_only_by_the_contract_is_refused() {
        let bad = [
            "",
            " ",
            "{",
            "{\"a\":1,\"a\":2}",
            "{\"x\":[{\"a\":1,\"\\u0061\":2}]}",
            "\u{feff}{}",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "{} {}",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "+1",
            "NaN",
            "1e999abc",
            "[1e999true]",
            "{\"a\":1e999-3}",
            "'a'",
            "\"\n\"",
            "nul",
            "\"\\x\"",
        ];
        for text in bad {
            assert!(parse(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn nesting_is_accepted_to_its_limit_and_not_beyond() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert!(parse(nested(MAX_DEPTH + 1).as_bytes()).is_err());
        assert!(parse("[".repeat(60_000).as_bytes()).is_err());
    }

    #[test]
    fn numbers_keep_their_kind() {
        assert!(parse(b"1.0").unwrap().is_f64());
        assert!(parse(b"1e3").unwrap().is_f64());
        assert_eq!(parse(b"99999999999999999999999"), Ok(json!(u64::MAX)));
        assert_eq!(parse(b"-99999999999999999999999"), Ok(json!(i64::MIN)));
        assert!(parse(b"1e999").unwrap().is_f64());
        assert_eq!(parse(b"\"\\ud83d\\ude00\""), Ok(json!("😀")));
    }
}
