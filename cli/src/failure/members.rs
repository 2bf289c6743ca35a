//! Fields of a request and their names on the command line.

use contentgen_sdk::InvalidRequest;
use contentgen_sdk::types::FieldError;

use super::report::Failure;

/// A field of `generate`'s request, its option, and the option's values.
const MEMBERS: [(&str, &str, &str); 8] = [
    ("topic", "TOPIC", "1 to 1000 characters of text without control characters"),
    ("website_id", "--website-id", "an id that `contentgen websites` lists"),
    ("keywords", "--keywords", "at most 10 keywords, each with 1 to 80 characters"),
    ("target_word_count", "--words", "a number from 200 to 5000"),
    ("language", "--language", "a tag such as en or pt-BR"),
    (
        "metadata",
        "--metadata",
        "at most 16 of NAME=VALUE, each name with 1 to 40 and each value with at most 500 characters",
    ),
    ("publish_at", "--publish-at", "a time within a year, such as 2026-11-02T08:00:00Z"),
    ("auto_publish", "--auto-publish", "true or false"),
];

/// Describes the values of a field's option. The path may lead deeper, as in `keywords/3`.
pub(super) fn form_of(path: &str) -> Option<String> {
    let member = path.split('/').next().unwrap_or_default();
    let (_, option, form) = MEMBERS.iter().find(|(name, ..)| *name == member)?;
    Some(format!("{option} must be {form}"))
}

/// Describes the values of the options with faults, each once.
pub(super) fn forms<'a>(faults: impl IntoIterator<Item = &'a FieldError>) -> Option<String> {
    let pointers = faults.into_iter().filter_map(|fault| fault.pointer.as_deref());
    let mut forms: Vec<String> = pointers.filter_map(|pointer| form_of(pointer.trim_start_matches("#/"))).collect();
    forms.dedup();
    (!forms.is_empty()).then(|| forms.join("; "))
}

/// Makes the failure of a request that breaks bounds of the document.
pub(crate) fn unsendable(refused: &InvalidRequest) -> Failure {
    let failure = Failure::usage(format!("the request was not sent: {refused}"));
    match forms(refused.field_errors()) {
        Some(forms) => failure.advise(forms),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_tell_the_limits_of_the_document() {
        let document = include_str!("../../../openapi.yaml");
        for (limit, member, bound) in [
            ("topic_length: { minimum: 1, maximum: 1000,", "topic", "1 to 1000 "),
            ("keywords: { maximum: 10,", "keywords", "at most 10 "),
            ("keyword_length: { minimum: 1, maximum: 80,", "keywords", "1 to 80 "),
            ("target_word_count: { minimum: 200, maximum: 5000,", "target_word_count", "200 to 5000"),
            ("metadata_members: { maximum: 16,", "metadata", "at most 16 "),
            ("metadata_name_length: { minimum: 1, maximum: 40,", "metadata", "1 to 40 "),
            ("metadata_value_length: { maximum: 500,", "metadata", "at most 500"),
        ] {
            assert!(document.contains(&format!("\n  {limit}")), "the document has another limit than {limit}");
            assert!(form_of(member).is_some_and(|form| form.contains(bound)), "the form of {member} lacks {bound}");
        }
    }
}
