//! Values of another type than the document's, which frameworks convert before validation.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::schema::{tidy, tidy_member};

const FORMS: &[&str] = &["generate.forms.refused"];

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.truth-as-text", "The server accepts true and false in quotation marks.", FORMS).request(
        |request, _| {
            tidy_member(request, "auto_publish", |choice| match choice.as_str() {
                Some("true") => *choice = json!(true),
                Some("false") => *choice = json!(false),
                _ => {}
            });
        },
    ),
    fault("validation.truth-as-bit", "The server accepts 1 and 0 for true and false.", FORMS).request(|request, _| {
        tidy_member(request, "auto_publish", |choice| {
            if let Some(bit @ (0 | 1)) = choice.as_u64() {
                *choice = json!(bit == 1);
            }
        });
    }),
    fault("validation.words-in-quotes", "The server accepts a number of words in quotation marks.", FORMS).request(
        |request, _| {
            tidy_member(request, "target_word_count", |words| {
                let count = words.as_str().and_then(|text| text.parse::<u64>().ok());
                if let Some(count) = count.filter(|count| (200..=5_000).contains(count)) {
                    *words = json!(count);
                }
            });
        },
    ),
    fault("validation.language-empty", "The server ignores an empty language.", FORMS).request(|request, _| {
        tidy(request, |members| members.retain(|name, value| !is_empty(name, value, "language")));
    }),
    fault("validation.time-empty", "The server ignores an empty publish_at.", FORMS).request(|request, _| {
        tidy(request, |members| members.retain(|name, value| !is_empty(name, value, "publish_at")));
    }),
    fault("validation.metadata-list", "The server accepts an empty list as metadata.", FORMS).request(|request, _| {
        tidy_member(request, "metadata", |metadata| {
            if *metadata == json!([]) {
                *metadata = json!({});
            }
        });
    }),
    fault("validation.keywords-object", "The server accepts an empty object as keywords.", FORMS).request(
        |request, _| {
            tidy_member(request, "keywords", |keywords| {
                if *keywords == json!({}) {
                    *keywords = json!([]);
                }
            });
        },
    ),
    fault(
        "validation.website-trimmed",
        "The server trims spaces around website_id.",
        &["generate.forms.website-as-it-is"],
    )
    .request(|request, _| {
        tidy_member(request, "website_id", |website_id| {
            if let Some(trimmed) = website_id.as_str().map(|text| text.trim().to_owned()) {
                *website_id = json!(trimmed);
            }
        });
    }),
];

fn is_empty(name: &str, value: &Value, member: &str) -> bool {
    name == member && *value == json!("")
}
