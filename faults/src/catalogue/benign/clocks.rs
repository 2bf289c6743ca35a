//! Servers whose clock is wrong.

use std::time::Duration;

use super::super::fault::{Fault, Profile, variant};

/// Offset of the clock.
const OFF: Duration = Duration::from_secs(90);

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.date-behind",
        "The clock of Date is 90 s behind: the document lets clocks differ by minutes in \"Keeping a copy in sync\".",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change("date", |date| {
            let earlier = httpdate::parse_http_date(date).ok().and_then(|time| time.checked_sub(OFF));
            earlier.map_or_else(|| date.to_owned(), httpdate::fmt_http_date)
        });
        // The value would be in the future of that clock, which RFC 9110 8.8.2.1 forbids.
        response.remove("last-modified");
    }),
    variant(
        "benign.date-ahead",
        "The clock of Date is 90 s ahead: the document lets clocks differ by minutes in \"Keeping a copy in sync\".",
        Profile::Full,
    )
    .response(|response, _, _| {
        response.change("date", |date| {
            let later = httpdate::parse_http_date(date).ok().and_then(|time| time.checked_add(OFF));
            later.map_or_else(|| date.to_owned(), httpdate::fmt_http_date)
        });
    }),
];
