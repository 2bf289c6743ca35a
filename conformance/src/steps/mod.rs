//! Steps that the checks of several areas share: queue, read, wait, cancel, fetch, capture.

pub(crate) mod accounts;
pub(crate) mod articles;
mod calls;
pub(crate) mod cancelled;
mod capabilities;
pub(crate) mod capture;
pub(crate) mod charges;
pub(crate) mod conditional;
pub(crate) mod credentials;
pub(crate) mod derived;
pub(crate) mod draws;
pub(crate) mod endpoints;
pub(crate) mod every_operation;
pub(crate) mod filters;
pub(crate) mod forms;
pub(crate) mod header_forms;
pub(crate) mod hooks;
pub(crate) mod job_details;
pub(crate) mod keyed;
pub(crate) mod leads;
pub(crate) mod listed;
pub(crate) mod lists;
pub(crate) mod moments;
pub(crate) mod near_ids;
pub(crate) mod observing;
pub(crate) mod orders;
pub(crate) mod pages;
pub(crate) mod passages;
pub(crate) mod payloads;
pub(crate) mod pipeline;
pub(crate) mod published;
pub(crate) mod publishing;
pub(crate) mod quotas;
pub(crate) mod retries;
pub(crate) mod times;
pub(crate) mod values;
pub(crate) mod written;

pub(crate) use calls::{
    as_long_as_writing, cancel_job, capture, clean_up, discard, discard_where_possible, finished, finished_within,
    generate, get_article, get_job, get_lead, is_terminal, local_path, percent_encoded, published_request, queue,
    quiet_request, run_second, segment, topic_of, written,
};
