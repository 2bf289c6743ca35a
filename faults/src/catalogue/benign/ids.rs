//! Ids in another form in requests and responses. A website keeps its id, because its owner knows it from elsewhere.

use super::super::fault::{Fault, Profile, variant};
use super::identities::{hand_out, rewrite_event, take_back};

/// Length of a long id, in characters.
const LENGTH: usize = 100;
/// Text appended to a long id: each mark that needs no encoding.
const MARKS: &str = "-._~";

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.ids-upper", "The letters of ids have the opposite case.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, other_case))
        .hook(|hook, _, memory| rewrite_event(hook, memory, other_case)),
    variant("benign.ids-long", "Ids have a hundred characters, with every mark that needs no encoding.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, long))
        .hook(|hook, _, memory| rewrite_event(hook, memory, long)),
    variant(
        "benign.ids-encoded",
        "Ids have letters and marks that an address must encode: \"Ids are opaque strings\".",
        Profile::Full,
    )
    .request(take_back)
    .response(|response, request, memory| hand_out(response, request, memory, odd))
    .hook(|hook, _, memory| rewrite_event(hook, memory, odd)),
];

/// Ids that differ only in case stay different. An id without letters gets one at its end.
fn other_case(id: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    if id.contains(|letter: char| letter.is_ascii_alphabetic()) {
        id.chars().map(swap).collect()
    } else {
        format!("{id}x")
    }
}

fn long(id: &str) -> String {
    let end = MARKS.chars().chain(('a'..='z').chain('0'..='9').cycle());
    id.chars().chain(end).take(LENGTH.max(id.chars().count())).collect()
}

fn odd(id: &str) -> String {
    format!("{id} & 100% \u{fc}+?=")
}

#[cfg(test)]
mod tests {
    use super::super::identities::{other_form, own_form, rewrite_text};
    use super::{odd, other_case};
    use crate::memory::Memory;

    #[test]
    fn ids_of_any_characters_get_another_form_and_are_taken_back() {
        let memory = Memory::default();
        for (id, other) in [("ab", "AB"), ("AB", "ab"), ("Job:1=", "jOB:1="), ("1", "1x"), ("ab-c", "AB-C")] {
            assert_eq!(other_form(id, &memory, other_case), other);
            assert_eq!(own_form(other, &memory), id);
        }
        assert_eq!(rewrite_text("<ab-c> abc /Job:1= v1", &memory, false), "<AB-C> abc /jOB:1= v1");
        let text = "/api/v1/jobs/1, <ab-c> abc /Job%3A1%3D/%2Fab?limit=1&article_id=1";
        let other = "/api/v1/jobs/1x, <AB-C> abc /jOB%3A1%3D/%2FAB?limit=1&article_id=1x";
        assert_eq!(rewrite_text(text, &memory, true), other);
    }

    #[test]
    fn ids_that_must_be_encoded_are_so_in_addresses_only() {
        let memory = Memory::default();
        assert_eq!(other_form("ab", &memory, odd), "ab & 100% \u{fc}+?=");
        assert_eq!(rewrite_text("about ab", &memory, false), "about ab & 100% \u{fc}+?=");
        assert_eq!(rewrite_text("/jobs/ab", &memory, true), "/jobs/ab%20%26%20100%25%20%C3%BC%2B%3F%3D");
    }
}
