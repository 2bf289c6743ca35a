//! Leads contain neither the IP address nor the user agent of the visitor.

use std::net::{IpAddr, SocketAddr};

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Verdict, ensure};
use crate::steps::leads::captured;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.privacy.no-address",
            "A lead contains no IP address that the form did not send, and no user agent of the visitor.",
            &[Sentence("It contains neither the network address nor the user agent of the person.")],
            no_address,
        )
        .needs(CAPTURE),
    ]
}

async fn no_address(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    holds_no_visitor(&context, &captured(&context, &email, "Robin", "private").await?)
}

/// Demands that a lead of the suite contains neither an address nor the user agent of the suite.
pub(in crate::requirements) fn holds_no_visitor(context: &Context, lead: &Value) -> Verdict {
    let agent = "contentgen-conformance/";
    ensure(!lead.to_string().contains(agent), "a lead without the visitor's user agent", || agent.to_owned())?;
    let facts = context.facts();
    let host = url::Url::parse(&facts.base_url).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
    let host = host.and_then(|host| host.trim_matches(['[', ']']).parse::<IpAddr>().ok());
    // Behind a router the target sees an address that the suite does not know. Thus each address in the lead is a visitor's if the form
    // did not send it. Exception: the host in the URL of the page may be an address.
    let sent = sent_addresses(context);
    let is_visitors =
        |found: &Found| !found.is_host || (facts.own_addresses.contains(&found.address) && host != Some(found.address));
    let leaked = addresses(lead).into_iter().find(|found| !sent.contains(found) && is_visitors(found));
    ensure(leaked.is_none(), "a lead without the visitor's address", || {
        leaked.map_or_else(String::new, |found| found.address.to_string())
    })?;
    if facts.own_addresses.is_empty() {
        return Err(Halt::inconclusive("the suite does not know its own address"));
    }
    Ok(())
}

/// Returns the addresses in the form of the set-up.
fn sent_addresses(context: &Context) -> Vec<Found> {
    let Some(capture) = &context.facts().capture else { return Vec::new() };
    let in_form = capture.form.iter().flatten().flat_map(|(_, value)| in_text(value));
    capture.json.iter().flat_map(addresses).chain(in_form).collect()
}

/// An address in a text.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    address: IpAddr,
    /// True if the address is the host of a URL.
    is_host: bool,
}

/// Returns every address in the texts of a value, with or without a port.
fn addresses(value: &Value) -> Vec<Found> {
    match value {
        Value::String(text) => in_text(text),
        Value::Array(items) => items.iter().flat_map(addresses).collect(),
        Value::Object(members) => members.values().flat_map(addresses).collect(),
        _ => Vec::new(),
    }
}

fn in_text(text: &str) -> Vec<Found> {
    let is_part = |letter: char| letter.is_ascii_hexdigit() || matches!(letter, '.' | ':');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(is_part).map(|at| from + at) {
        let end = text[start..].find(|letter| !is_part(letter)).map_or(text.len(), |length| start + length);
        let before = &text[..start];
        // Part of a word, or of a number with letters, is not an address.
        let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '-');
        if !is_word(before.chars().next_back()) && !is_word(text[end..].chars().next()) {
            let is_host = before.ends_with("//") || before.ends_with("//[");
            let address = parsed(text[start..end].trim_end_matches(['.', ':']));
            found.extend(address.map(|address| Found { address, is_host }));
        }
        from = end;
    }
    found
}

fn parsed(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))?;
    // `::` alone is punctuation in programs, not an address.
    (!address.is_unspecified()).then(|| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Found, addresses};

    #[test]
    fn addresses_are_found_in_every_form() {
        let lead = json!({ "fields": { "a": "127.0.0.1", "b": ["from ::ffff:10.1.2.3."], "c": "[2001:db8::7]:443" },
            "page": "http://192.0.2.1:8080/rye", "via": "192.0.2.9:51234" });
        let expected = [
            ("127.0.0.1", false),
            ("10.1.2.3", false),
            ("2001:db8::7", false),
            ("192.0.2.1", true),
            ("192.0.2.9", false),
        ];
        let expected: Vec<Found> =
            expected.map(|(address, is_host)| Found { address: address.parse().expect("a constant"), is_host }).into();
        assert_eq!(addresses(&lead), expected);
    }

    #[test]
    fn ids_times_and_versions_are_not_addresses() {
        let lead = json!({ "id": "lead_01KB0A::5", "at": "2026-11-02T08:00:08.615Z", "version": "v1.2.3.4",
            "id2": "0192f3a4-7c1f-4d00-b52a-10a0b1c2d3e4", "note": "Note::from 1.2.3, 12:30:00", "colon": "::" });
        assert_eq!(addresses(&lead), []);
    }
}
