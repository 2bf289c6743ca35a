//! The whole catalogue in one place.
//!
//! Each group of requirements lives in the file of its name.

use super::requirement::Requirement;

/// Every requirement of every group, in the order of ids.
pub fn catalogue() -> Vec<Requirement> {
    let mut all: Vec<Requirement> = [
        super::articles::requirements(),
        super::articles_conditional::requirements(),
        super::articles_derived::requirements(),
        super::articles_text::requirements(),
        super::auth::requirements(),
        super::capture::requirements(),
        super::capture_bounds::requirements(),
        super::capture_identity::requirements(),
        super::capture_origin::requirements(),
        super::changes::requirements(),
        super::generate::requirements(),
        super::generate_dates::requirements(),
        super::generate_defaults::requirements(),
        super::generate_invalid::requirements(),
        super::generate_json::requirements(),
        super::generate_order::requirements(),
        super::generate_values::requirements(),
        super::hooks::requirements(),
        super::hooks_addresses::requirements(),
        super::hooks_article::requirements(),
        super::hooks_delivery::requirements(),
        super::hooks_endpoints::requirements(),
        super::hooks_leads::requirements(),
        super::hooks_management::requirements(),
        super::hooks_payload::requirements(),
        super::hooks_redirects::requirements(),
        super::hooks_signature::requirements(),
        super::http_head::requirements(),
        super::http_methods::requirements(),
        super::http_raw::requirements(),
        super::http_requests::requirements(),
        super::idempotency::requirements(),
        super::idempotency_keys::requirements(),
        super::ids::requirements(),
        super::ids_near::requirements(),
        super::isolation::requirements(),
        super::jobs::requirements(),
        super::jobs_cancel::requirements(),
        super::jobs_details::requirements(),
        super::jobs_waiting::requirements(),
        super::leads::requirements(),
        super::leads_matches::requirements(),
        super::limits::requirements(),
        super::limits_apart::requirements(),
        super::limits_everywhere::requirements(),
        super::observed::requirements(),
        super::observed_answers::requirements(),
        super::observed_headers::requirements(),
        super::observed_problems::requirements(),
        super::pages::requirements(),
        super::pages_filters::requirements(),
        super::pages_matches::requirements(),
        super::pages_moments::requirements(),
        super::pages_narrowed::requirements(),
        super::pages_parameters::requirements(),
        super::pages_tokens::requirements(),
        super::pages_totals::requirements(),
        super::pipeline::requirements(),
        super::publish_times::requirements(),
        super::races::requirements(),
        super::scopes::requirements(),
        super::sequences::requirements(),
        super::times::requirements(),
        super::times_real::requirements(),
        super::voice::requirements(),
    ]
    .into_iter()
    .flatten()
    .collect();
    all.sort_by_key(|requirement| requirement.id);
    all
}
