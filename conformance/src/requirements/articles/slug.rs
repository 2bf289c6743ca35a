//! Slugs of articles.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.slug.unique",
            "slug has at most 80 lower-case letters, digits and single hyphens, and is unique per website, even for equal topics.",
            &[
                Sentence("`slug` is unique per website."),
                Part("/components/schemas/ArticleSummary/properties/slug/pattern"),
                Part("/components/schemas/ArticleSummary/properties/slug/maxLength"),
            ],
            slug,
        )
        .needs(JOBS),
    ]
}

async fn slug(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Tying a bowline knot");
    let calls = (0..4).map(|_| steps::written(&context, &body));
    let mut seen = std::collections::BTreeSet::new();
    for (_, article) in futures::future::try_join_all(calls).await? {
        let slug = demand::text(demand::json(&article)?, "slug")?.to_owned();
        has_form(&slug)?;
        ensure(seen.insert(slug.clone()), "four different slugs", || format!("{slug} twice"))?;
    }
    Ok(())
}

/// Demands the form of a slug.
pub(super) fn has_form(slug: &str) -> Verdict {
    let parts = slug.split('-').all(|part| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    });
    ensure(parts && slug.len() <= 80, "a slug of at most 80 lower-case letters, digits and single hyphens", || {
        slug.to_owned()
    })
}
