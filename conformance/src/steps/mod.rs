//! Steps that the checks of several areas share: queue, read, wait, cancel, fetch, capture.

pub(crate) mod articles;
mod calls;
mod capabilities;
pub(crate) mod clock;
pub(crate) mod control;
pub(crate) mod credentials;
pub(crate) mod draws;
pub(crate) mod endpoints;
pub(crate) mod forms;
pub(crate) mod header_forms;
pub(crate) mod histories;
pub(crate) mod hooks;
pub(crate) mod jobs;
pub(crate) mod keyed;
pub(crate) mod lead_form;
pub(crate) mod leads;
pub(crate) mod lists;
pub(crate) mod observing;
pub(crate) mod operations;
mod paths;
pub(crate) mod pausing;
pub(crate) mod payloads;
pub(crate) mod pipeline;
pub(crate) mod publishing;
pub(crate) mod quotas;
pub(crate) mod restart;
pub(crate) mod texts;
pub(crate) mod times;
pub(crate) mod writer;

pub(crate) use calls::{
    cancel_job, capture, clean_up, discard, discard_where_possible, ended_by_deadline, ended_in_time, finished,
    generate, get_article, get_job, get_lead, get_scheduled_post, has_article, is_terminal, published_request, queue,
    queued, quiet_request, send_and_discard, send_large, some_article, topic_of, without_nulls, words, written,
    written_once,
};
pub(crate) use paths::{local_path, percent_decoded, percent_encoded, segment};
