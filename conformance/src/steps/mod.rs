//! Steps that the checks of several areas share: queue, read, wait, cancel, fetch, capture.

pub(crate) mod accounts;
pub(crate) mod articles;
pub(crate) mod at_work;
mod calls;
pub(crate) mod cancelled;
mod capabilities;
pub(crate) mod charges;
pub(crate) mod conditional;
pub(crate) mod control;
pub(crate) mod credentials;
pub(crate) mod dead_keys;
pub(crate) mod derived;
pub(crate) mod draws;
pub(crate) mod endpoints;
pub(crate) mod failing;
pub(crate) mod fields;
pub(crate) mod filters;
pub(crate) mod flat_forms;
pub(crate) mod form_bounds;
pub(crate) mod forms;
pub(crate) mod header_forms;
pub(crate) mod hooks;
pub(crate) mod job_details;
pub(crate) mod keyed;
pub(crate) mod kinds;
pub(crate) mod large_bodies;
pub(crate) mod lead_form;
pub(crate) mod leads;
pub(crate) mod listed;
pub(crate) mod lists;
pub(crate) mod moments;
pub(crate) mod multipart;
pub(crate) mod near_ids;
pub(crate) mod observing;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod pages;
pub(crate) mod parameters;
pub(crate) mod passages;
pub(crate) mod pausing;
pub(crate) mod payloads;
pub(crate) mod pipeline;
pub(crate) mod publishing;
pub(crate) mod queue_room;
pub(crate) mod quotas;
pub(crate) mod restricted;
pub(crate) mod retries;
pub(crate) mod same_work;
pub(crate) mod searched;
pub(crate) mod times;
pub(crate) mod written;

pub(crate) use calls::{
    cancel_job, capture, clean_up, discard, discard_where_possible, ended_in_time, finished, generate, get_article,
    get_job, get_lead, get_scheduled_post, has_article, is_terminal, local_path, percent_decoded, percent_encoded,
    published_request, queue, quiet_request, run_second, segment, send_and_discard, some_article, topic_of, words,
    written, written_once,
};
