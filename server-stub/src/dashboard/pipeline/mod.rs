//! Pipeline pages: the board, queueing an article, and one scheduled post.

mod board;
mod cancel;
mod entry;
mod new_article;
mod routes;
mod status;
mod website_choices;

pub(super) use website_choices::WebsiteChoices;

pub(super) use routes::routes;
