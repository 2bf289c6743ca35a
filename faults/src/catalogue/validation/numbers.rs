//! Faults in validating numbers, booleans and null.

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
    fault("validation.words-199", "The minimum number of words is off by one.", RANGE)
        .exchange(|exchange| {
            overlook(exchange, "target_word_count", "out_of_range", |words| replace(words, SMALLEST - 1, SMALLEST))
                .boxed()
        })
        .response(echo::show),
    fault("validation.words-5001", "The maximum number of words is off by one.", RANGE)
        .exchange(|exchange| {
            overlook(exchange, "target_word_count", "out_of_range", |words| replace(words, GREATEST + 1, GREATEST))
                .boxed()
        })
        .response(echo::show),
    fault("validation.words-5000", "The server refuses the maximum number of words.", &["generate.valid.accepted"])
        .exchange(|exchange| refuse(exchange, "target_word_count", "out_of_range", |words| *words == GREATEST).boxed()),
    fault("validation.words-clamped", "The server clamps a number of words out of range.", RANGE).request(
        |request, _| {
            tidy_member(request, "target_word_count", |words| {
                if let Some(count) = words.as_i64() {
                    *words = json!(count.clamp(SMALLEST, GREATEST));
                }
            });
        },
    ),
    fault("validation.words-300-0", "The server accepts 300.0 as an integer.", FORMAT).request(|request, _| {
        tidy_member(request, "target_word_count", |words| {
            // Writes a whole number without a fraction.
            let whole = words.as_f64().filter(|count| words.is_f64() && count.fract() == 0.0);
            if let Some(whole) = whole.and_then(|count| format!("{count:.0}").parse::<i64>().ok()) {
                *words = json!(whole);
            }
        });
    }),
    fault("validation.words-as-text", "The server accepts numbers in quotation marks.", FORMAT).request(
        |request, _| {
            tidy_member(request, "target_word_count", |words| {
                if let Some(count) = words.as_str().and_then(|text| text.parse::<i64>().ok()) {
                    *words = json!(count);
                }
            });
        },
    ),
    fault("validation.boolean-as-number", "The server accepts numbers for true and false.", FORMAT).request(
        |request, _| {
            tidy_member(request, "auto_publish", |choice| {
                if let Some(number) = choice.as_f64() {
                    *choice = json!(number != 0.0);
                }
            });
        },
    ),
    fault("validation.null-as-absent", "The server treats null as absent in a request.", FORMAT).request(
        |request, _| {
            if request.is(Operation::Generate) {
                request.edit(|body| edit_objects(body, &mut |members| members.retain(|_, value| !value.is_null())));
            }
        },
    ),
];

fn replace(words: &mut Value, from: i64, to: i64) {
    if *words == from {
        *words = json!(to);
    }
}
