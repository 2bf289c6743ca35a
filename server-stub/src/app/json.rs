//! Parses a body as JSON, more strictly than most parsers: the contract refuses duplicate field names, a byte order mark, unpaired
//! surrogates and deep nesting. This module is independent of any schema.

use serde_json::{Map, Number, Value};

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
    reader.skip_white_space();
    let value = reader.value(0)?;
    reader.skip_white_space();
    if reader.at == text.len() { Ok(value) } else { Err("the body has text after the JSON value") }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Consumes `byte` if it is next. Returns true if it was.
    fn take(&mut self, byte: u8) -> bool {
        let next = self.peek() == Some(byte);
        self.at += usize::from(next);
        next
    }

    fn value(&mut self, depth: usize) -> Result<Value, &'static str> {
        match self.peek() {
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => Err("a JSON value was expected"),
            None => Err("the body ends where a JSON value was expected"),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, &'static str> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err("a JSON value was expected")
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, &'static str> {
        if depth > MAX_DEPTH {
            return Err("the body is nested too deeply");
        }
        self.at += 1;
        let mut members = Map::new();
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return Err("a field name was expected");
            }
            let name = self.string()?;
            self.skip_white_space();
            if !self.take(b':') {
                return Err("a colon was expected after a field name");
            }
            self.skip_white_space();
            let value = self.value(depth)?;
            if members.insert(name, value).is_some() {
                return Err("a field name appears twice in one object");
            }
            self.skip_white_space();
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return Err("a comma or a closing brace was expected");
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, &'static str> {
        if depth > MAX_DEPTH {
            return Err("the body is nested too deeply");
        }
        self.at += 1;
        let mut items = Vec::new();
        self.skip_white_space();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_white_space();
            items.push(self.value(depth)?);
            self.skip_white_space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return Err("a comma or a closing bracket was expected");
            }
        }
    }

    fn string(&mut self) -> Result<String, &'static str> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F)).count();
            string.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return Err("a string contains an unescaped control character"),
                None => return Err("a string is not closed"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, &'static str> {
        self.at += 1;
        let escape = self.peek().ok_or("a string is not closed")?;
        self.at += 1;
        Ok(match escape {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            _ => return Err("a string contains an unknown escape"),
        })
    }

    fn code_point(&mut self) -> Result<char, &'static str> {
        let unit = self.code_unit()?;
        if !(0xD800..0xDC00).contains(&unit) {
            return char::from_u32(unit).ok_or("a string contains an unpaired surrogate");
        }
        if !(self.take(b'\\') && self.take(b'u')) {
            return Err("a string contains an unpaired surrogate");
        }
        let low = self.code_unit()?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err("a string contains an unpaired surrogate");
        }
        char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            .ok_or("a string contains an unpaired surrogate")
    }

    fn code_unit(&mut self) -> Result<u32, &'static str> {
        let digits =
            self.text.as_bytes().get(self.at..self.at + 4).ok_or("a \\u escape needs four hexadecimal digits")?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, digit| {
            let value = char::from(*digit).to_digit(16).ok_or("a \\u escape needs four hexadecimal digits")?;
            Ok(unit * 16 + value)
        })
    }

    fn digits(&mut self) -> Result<(), &'static str> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err("a digit was expected in a number") }
    }

    fn number(&mut self) -> Result<Value, &'static str> {
        let start = self.at;
        let is_negative = self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err("a number must not have a leading zero");
            }
        } else {
            self.digits()?;
        }
        let mut is_integer = true;
        if self.take(b'.') {
            is_integer = false;
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            is_integer = false;
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        Ok(Value::Number(if is_integer { integer(text, is_negative) } else { decimal(text) }))
    }
}

fn integer(text: &str, is_negative: bool) -> Number {
    if is_negative {
        Number::from(text.parse::<i64>().unwrap_or(i64::MIN))
    } else {
        Number::from(text.parse::<u64>().unwrap_or(u64::MAX))
    }
}

fn decimal(text: &str) -> Number {
    let value = text.parse::<f64>().unwrap_or(f64::MAX).clamp(f64::MIN, f64::MAX);
    Number::from_f64(value).unwrap_or_else(|| Number::from(0))
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
                let is_huge = std::str::from_utf8(&bytes).is_ok_and(|text| text.contains('e'));
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
