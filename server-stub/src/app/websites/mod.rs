//! Lists websites, and reads the pages of hosted ones.

mod list_websites;
mod read_site;

pub use read_site::{HostedArticle, MAX_SITEMAP_ADDRESSES, PublishedPage, SITE_PAGE_SIZE};
