//! Invalid parameter values that the server accepts.

use super::super::fault::{Fault, fault};
use super::parameters::reread;

const VALUES: &[&str] = &["pages.parameter.meaningless"];

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.limit-any-digits", "The server accepts digits of any script in limit.", VALUES).request(
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
    fault("paging.limit-grouped", "The server accepts underscores between the digits of limit.", VALUES).request(
        |request, _| {
            reread(request, "limit", |text| text.contains('_').then(|| text.replace('_', "")));
        },
    ),
];
