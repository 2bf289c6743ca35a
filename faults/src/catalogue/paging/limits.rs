//! Faults in the number of items on a page.

use super::super::fault::{Fault, fault};
use super::pages::link_as_asked;
use super::parameters::{ignore, reread, single};
use crate::message::{Operation, Request};

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.limit-ignored", "limit is ignored.", &["pages.limit.respected"])
        .request(|request, _| ignore(request, "limit"))
        .response(link_as_asked),
    fault("paging.default-50", "A page without a limit has up to 50 items.", &["pages.limit.default"])
        .request(|request, _| {
            if request.operation().is_some_and(Operation::is_list) && request.parameter("limit").is_none() {
                request.set_parameter("limit", "50");
            }
        })
        .response(link_as_asked),
    fault("paging.limit-clamped", "The server clamps a limit out of range.", &["pages.limit.refused"])
        .request(|request, _| {
            reread(request, "limit", |text| Some(text.parse::<i64>().ok()?.clamp(1, 100).to_string()));
        })
        .response(link_as_asked),
    fault("paging.limit-0", "The server accepts the limit 0.", &["pages.limit.refused"])
        .request(|request, _| {
            if single(request, "limit").is_some_and(|text| text == "0") {
                request.remove_parameter("limit");
            }
        })
        .response(link_as_asked),
    // The server refuses 101 in the same way as any invalid limit.
    fault("paging.limit-100", "The server refuses the limit 100.", &["pages.limit.edges"])
        .request(|request, _| reread(request, "limit", |text| (text == "100").then(|| "101".to_owned()))),
    fault("paging.limit-float", "The server accepts the limit 1.0.", &["pages.limit.refused"])
        .request(|request, _| reread(request, "limit", |text| text.strip_suffix(".0").map(ToOwned::to_owned)))
        .response(link_as_asked),
    fault("paging.limit-unreadable", "The server ignores a limit that is not a number.", &["pages.limit.refused"])
        .request(without_unreadable_limit)
        .response(link_as_asked),
];

fn without_unreadable_limit(request: &mut Request, _: &crate::memory::Memory) {
    if single(request, "limit").is_some_and(|text| text.parse::<f64>().is_err()) {
        request.remove_parameter("limit");
    }
}
