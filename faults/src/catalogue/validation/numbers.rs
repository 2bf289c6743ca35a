//! Numbers, truth values and null.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::schema::{overlook, refuse, tidy_member};
use crate::message::{Operation, edit_objects};

const SMALLEST: i64 = 200;
const GREATEST: i64 = 5000;

const RANGE: &[&str] = &["generate.invalid.range"];
const FORMAT: &[&str] = &["generate.invalid.format"];

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.words-199", "The smallest number of words is off by one.", RANGE)
        .exchange(|exchange| {
            overlook(exchange, "target_word_count", "out_of_range", |words| replace(words, SMALLEST - 1, SMALLEST))
                .boxed()
        })
        .response(echo::show),
    fault("validation.words-5001", "The greatest number of words is off by one.", RANGE)
        .exchange(|exchange| {
            overlook(exchange, "target_word_count", "out_of_range", |words| replace(words, GREATEST + 1, GREATEST))
                .boxed()
        })
        .response(echo::show),
    fault("validation.words-5000", "The greatest number of words is refused.", &["generate.valid.accepted"])
        .exchange(|exchange| refuse(exchange, "target_word_count", "out_of_range", |words| *words == GREATEST).boxed()),
    fault("validation.words-clamped", "A number of words out of range is moved into it.", RANGE).request(
        |request, _| {
            tidy_member(request, "target_word_count", |words| {
                if let Some(count) = words.as_i64() {
                    *words = json!(count.clamp(SMALLEST, GREATEST));
                }
            });
        },
    ),
    fault("validation.words-300-0", "300.0 is taken for an integer.", FORMAT).request(|request, _| {
        tidy_member(request, "target_word_count", |words| {
            // A number without a fraction is written without one.
            let whole = words.as_f64().filter(|count| words.is_f64() && count.fract() == 0.0);
            if let Some(whole) = whole.and_then(|count| format!("{count:.0}").parse::<i64>().ok()) {
                *words = json!(whole);
            }
        });
    }),
    fault("validation.words-as-text", "Numbers in quotation marks are accepted.", FORMAT).request(|request, _| {
        tidy_member(request, "target_word_count", |words| {
            if let Some(count) = words.as_str().and_then(|text| text.parse::<i64>().ok()) {
                *words = json!(count);
            }
        });
    }),
    fault("validation.boolean-as-number", "Numbers are taken for true and false.", FORMAT).request(|request, _| {
        tidy_member(request, "auto_publish", |choice| {
            if let Some(number) = choice.as_f64() {
                *choice = json!(number != 0.0);
            }
        });
    }),
    fault("validation.null-as-absent", "null counts as absent in a request.", FORMAT).request(|request, _| {
        if request.is(Operation::Generate) {
            request.edit(|body| edit_objects(body, &mut |members| members.retain(|_, value| !value.is_null())));
        }
    }),
];

fn replace(words: &mut Value, from: i64, to: i64) {
    if *words == from {
        *words = json!(to);
    }
}
