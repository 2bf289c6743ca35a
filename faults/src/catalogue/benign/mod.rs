//! Servers that are correct but different: every requirement of their profile must pass.

mod addresses;
mod articles;
mod body;
mod caching;
mod challenges;
mod clocks;
mod compression;
mod core;
mod deliveries;
mod endings;
mod environment;
mod errors;
mod failing_jobs;
mod fields;
mod gateways;
mod hooks;
mod html;
mod identities;
mod ids;
mod jobs;
mod languages;
mod leads;
mod markdown;
mod markup;
mod numbers;
mod pages;
mod paging;
mod payloads;
mod quotas;
mod records;
mod refusals;
mod repeats;
mod requests;
mod tags;
mod text;
mod timing;
mod wire;
mod writing;

use super::fault::Fault;

/// The variants.
pub(super) const FAULTS: &[&[Fault]] = &[
    ids::FAULTS,
    numbers::FAULTS,
    writing::FAULTS,
    wire::FAULTS,
    gateways::FAULTS,
    caching::FAULTS,
    compression::FAULTS,
    tags::FAULTS,
    clocks::FAULTS,
    environment::FAULTS,
    requests::FAULTS,
    challenges::FAULTS,
    refusals::FAULTS,
    text::FAULTS,
    errors::FAULTS,
    fields::FAULTS,
    records::FAULTS,
    repeats::FAULTS,
    addresses::FAULTS,
    jobs::FAULTS,
    timing::FAULTS,
    failing_jobs::FAULTS,
    pages::FAULTS,
    paging::FAULTS,
    quotas::FAULTS,
    articles::FAULTS,
    languages::FAULTS,
    markdown::FAULTS,
    html::FAULTS,
    endings::FAULTS,
    leads::FAULTS,
    hooks::FAULTS,
    deliveries::FAULTS,
    payloads::FAULTS,
    core::FAULTS,
];
