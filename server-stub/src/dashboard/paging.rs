//! Links between the pages of a list. They keep its search and its filters.

use super::form::Form;

/// Name of the query parameter with the page token.
pub(super) const PAGE_FIELD: &str = "page";

/// Links to other pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paging {
    /// Link to the first page; `None` on the first page.
    pub(super) first: Option<String>,
    /// Link to the next page.
    pub(super) next: Option<String>,
}

impl Paging {
    /// Creates the links of a list at `path` (with the link prefix). They keep the parameters of `query` that are named in
    /// `filters`.
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
