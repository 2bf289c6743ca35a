//! Articles: fetched, true to their text, changed by publishing.

pub(super) mod by_job_id;
pub(super) mod cache;
pub(super) mod echo;
pub(super) mod etag;
pub(super) mod extremes;
pub(super) mod failed;
pub(super) mod faq;
pub(super) mod fetch;
pub(super) mod html;
pub(super) mod json_ld;
pub(super) mod keywords;
pub(super) mod language;
pub(super) mod last_modified;
pub(super) mod links;
pub(super) mod markdown;
pub(super) mod metadata;
pub(super) mod not_ready;
pub(super) mod publication;
pub(super) mod published;
pub(super) mod rendering;
pub(super) mod scheduled;
pub(super) mod slug;
pub(super) mod text;
pub(super) mod times;
pub(super) mod unknown;
