//! Lists, page by page.

pub(super) mod articles;
pub(super) mod filter;
pub(super) mod limit;
pub(super) mod link;
pub(super) mod order;
pub(super) mod parameter;
pub(super) mod range;
pub(super) mod token;
pub(super) mod walk;
