//! Faults in the Link header of a page.

use super::super::fault::{Fault, fault};
use super::parameters::is_page;

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.no-link", "Pages have no Link.", &["pages.link.next"]).response(|response, request, _| {
        if is_page(request) {
            response.remove("link");
        }
    }),
    fault("paging.link-drops-query", "Link omits the other parameters.", &["pages.link.next"]).response(
        |response, request, _| {
            if let Some(token) = response.text("/next_page").filter(|_| is_page(request)) {
                let mut next = request.clone();
                next.set_parameters(&[("page_token".to_owned(), token)]);
                response.set_next_link(&next);
            }
        },
    ),
    fault("paging.link-always", "The Link of the last page points to that page.", &["pages.link.last"]).response(
        |response, request, _| {
            let is_last = || response.json().is_some_and(|page| page["next_page"].is_null());
            if is_page(request) && response.is_success() && is_last() {
                response.set_next_link(request);
            }
        },
    ),
];
