//! The links between the pages of a list. They keep its search and its filters.

use super::form::Form;

/// The query name of a page token.
pub(super) const PAGE_FIELD: &str = "page";

/// Where a list goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paging {
    /// The first page, unless this is it.
    pub(super) first: Option<String>,
    /// The page behind this one.
    pub(super) next: Option<String>,
}

impl Paging {
    /// The links of a list at `path` (with the base of links), of which `query` was asked for, limited to `filters`.
    pub(super) fn new(path: &str, query: &Form, filters: &[&str], next_page: Option<&str>) -> Self {
        let link = |token: Option<&str>| {
            let mut pairs = url::form_urlencoded::Serializer::new(String::new());
            for name in filters {
                pairs.extend_pairs(query.all(name).filter(|value| !value.is_empty()).map(|value| (name, value)));
            }
            pairs.extend_pairs(token.map(|token| (PAGE_FIELD, token)));
            let pairs = pairs.finish();
            if pairs.is_empty() { path.to_owned() } else { format!("{path}?{pairs}") }
        };
        Self {
            first: (!query.text(PAGE_FIELD).is_empty()).then(|| link(None)),
            next: next_page.map(|token| link(Some(token))),
        }
    }
}
