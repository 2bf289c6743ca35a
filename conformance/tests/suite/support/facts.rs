//! Facts about a target in memory.

use std::collections::BTreeSet;
use std::time::Duration;

use contentgen_conformance::check::{ArticleIdSource, Facts, Secrets};

/// Returns the website `web_1` of a target that offers nothing beyond the document.
pub(crate) fn facts() -> Facts {
    Facts {
        base_url: "http://127.0.0.1:1".to_owned(),
        website_id: "web_1".to_owned(),
        has_publishing_slots: false,
        other_website_id: None,
        inactive_website_id: None,
        double_opt_in_website_id: None,
        restricted_website_id: None,
        failing_job: None,
        pausable: None,
        clock: None,
        eraser: None,
        restarter: None,
        writer: None,
        capabilities: BTreeSet::new(),
        article_id_from: ArticleIdSource::Job,
        hook_id_pointer: String::new(),
        ready_within: Duration::from_mins(1),
        is_ready_within_declared: true,
        retry_within: None,
        capture: None,
        own_addresses: BTreeSet::new(),
        started: 0,
        run: "1".to_owned(),
        secrets: Secrets::default(),
    }
}
