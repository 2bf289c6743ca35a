//! Websites, and what readers of a hosted one see.

mod list_websites;
mod read_site;

pub use read_site::{HostedArticle, MAX_SITEMAP_ADDRESSES, PublishedPage, SITE_PAGE_SIZE};
