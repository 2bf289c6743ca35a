//! Pipeline pages: the board, queueing an article, and one scheduled post.

pub(super) mod board;
pub(super) mod entry;
pub(super) mod new_article;
