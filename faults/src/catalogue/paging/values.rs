//! Values of parameters that have no meaning, and get one.

use super::super::fault::{Fault, fault};
use super::parameters::{reread, single};

const VALUES: &[&str] = &["pages.parameter.meaningless"];

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.empty-token", "An empty page token gives the first page.", VALUES).request(|request, _| {
        if single(request, "page_token").is_some_and(|token| token.is_empty()) {
            request.remove_parameter("page_token");
        }
    }),
    fault("paging.limit-any-digits", "limit may be written in the digits of any script.", VALUES).request(
        |request, _| {
            reread(request, "limit", |text| {
                let digit = |letter: char| match u32::from(letter) {
                    code @ 0x660..=0x669 => char::from_digit(code - 0x660, 10),
                    code @ 0x966..=0x96f => char::from_digit(code - 0x966, 10),
                    _ => None,
                };
                text.chars().map(digit).collect()
            });
        },
    ),
    fault("paging.limit-grouped", "The digits of limit may be grouped by underscores.", VALUES).request(
        |request, _| {
            reread(request, "limit", |text| text.contains('_').then(|| text.replace('_', "")));
        },
    ),
];
