//! Responses that every parser reads alike: JSON in UTF-8, each name once in its object, each header once.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::check::Source::{Sentence, Standard};
use crate::check::{Exchange, Facts, Finding, Requirement};
use crate::spec::Document;
use crate::steps::observing::{call_each_operation, is_api};

/// Maximum length in bytes of a body that is read a second time.
const LONGEST: usize = 512 * 1024;

/// Headers that are not lists.
const SINGLE: [&str; 10] = [
    "content-length",
    "content-location",
    "content-type",
    "date",
    "etag",
    "idempotency-replayed",
    "last-modified",
    "location",
    "retry-after",
    "x-request-id",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "answers.json.once",
            "The names within an object of a response are unique: readers of two equal names disagree on the value.",
            &[Sentence("In responses each name occurs once in its object."), Standard("RFC 8259", "4")],
            call_each_operation,
        )
        .observing(names_once),
        Requirement::new(
            "answers.json.charset",
            "JSON of a response is UTF-8, and its media type names no other charset.",
            &[Sentence("JSON is UTF-8; a `charset` parameter, if any, is `utf-8`."), Standard("RFC 8259", "8.1")],
            call_each_operation,
        )
        .observing(charset),
        Requirement::new(
            "answers.headers.once",
            "A header that is not a list occurs at most once in a response: readers of two lines disagree on the value.",
            &[Standard("RFC 9110", "5.3")],
            call_each_operation,
        )
        .observing(headers_once),
    ]
}

fn names_once(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    exchange.request.operation?;
    exchange.json().filter(|_| exchange.body.len() <= LONGEST)?;
    let mut twice = None;
    let mut reader = serde_json::Deserializer::from_slice(&exchange.body);
    Look { twice: &mut twice }.deserialize(&mut reader).ok()?;
    Some(match twice {
        None => Ok(()),
        Some(name) => Err(Finding::new(
            "each name once in its object",
            format!("two fields {name} in one object in {}", exchange.line()),
        )),
    })
}

/// Reads any value and records a name that occurs twice in one object.
struct Look<'found> {
    twice: &'found mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<Reader: Deserializer<'de>>(self, reader: Reader) -> Result<(), Reader::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<Items: SeqAccess<'de>>(self, mut items: Items) -> Result<(), Items::Error> {
        while items.next_element_seed(Look { twice: self.twice })?.is_some() {}
        Ok(())
    }

    fn visit_map<Members: MapAccess<'de>>(self, mut members: Members) -> Result<(), Members::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = members.next_key::<String>()? {
            members.next_value_seed(Look { twice: self.twice })?;
            if !names.insert(name.clone()) {
                self.twice.get_or_insert(name);
            }
        }
        Ok(())
    }
}

fn charset(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let media_type = exchange.header("content-type").filter(|_| is_api(exchange) && !exchange.body.is_empty())?;
    exchange.json()?;
    let is_utf_8 = charset_of(media_type)
        .is_none_or(|charset| ["utf-8", "utf8"].iter().any(|name| charset.eq_ignore_ascii_case(name)));
    Some(if is_utf_8 {
        Ok(())
    } else {
        Err(Finding::new(
            "the charset utf-8, or no charset",
            format!("Content-Type {media_type} in {}", exchange.line()),
        ))
    })
}

/// Returns the charset of a media type of JSON, if it names one.
fn charset_of(media_type: &str) -> Option<&str> {
    let mut parts = media_type.split(';').map(str::trim);
    parts.next().filter(|essence| essence.to_ascii_lowercase().ends_with("json"))?;
    let parameters = parts.filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    charsets.next().map(|(_, value)| value.trim().trim_matches('"'))
}

fn headers_once(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    if !is_api(exchange) {
        return None;
    }
    let doubled = SINGLE.iter().find(|name| exchange.headers.get_all(**name).iter().count() > 1);
    Some(match doubled {
        None => Ok(()),
        Some(name) => {
            let values: Vec<_> = exchange.headers.get_all(*name).iter().map(|value| format!("{value:?}")).collect();
            Err(Finding::new(format!("one {name}"), format!("{} in {}", values.join(" and "), exchange.line())))
        }
    })
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeSeed as _;

    use super::{Look, charset_of};

    fn twice(text: &str) -> Option<String> {
        let mut twice = None;
        let mut reader = serde_json::Deserializer::from_str(text);
        Look { twice: &mut twice }.deserialize(&mut reader).expect("it is JSON");
        twice
    }

    #[test]
    fn names_are_unique_within_their_object_only() {
        assert_eq!(twice(r#"{"a":[{"a":1.5},{"a":null}],"b":true,"c":-1}"#), None);
        assert_eq!(twice(r#"[{"a":{"b":1,"\u0062":"2"}}]"#).as_deref(), Some("b"));
    }

    #[test]
    fn the_charset_is_read_from_media_types_of_json() {
        assert_eq!(charset_of("application/problem+json; Charset=\"UTF-8\""), Some("UTF-8"));
        assert_eq!(charset_of("application/json"), None);
        assert_eq!(charset_of("text/html; charset=latin1"), None);
    }
}
