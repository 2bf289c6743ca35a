//! Filters together: what one of them rules out does not come, whatever the others say.
//!
//! Single filters are in `pages_matches`, `pages_moments` and `leads_matches`.

use chrono::Duration;
use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::pages_moments::{in_utc, moment};
use super::requirement::Requirement;
use super::steps;
use super::steps_articles;
use super::steps_capture;
use super::steps_lists::{ARTICLES, List, shows};
use super::verdict::{Halt, Verdict};

const LISTED: &[Capability] = &[Capability::Articles, Capability::Jobs];
const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::Jobs];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.filter.articles-together",
            "Only articles in this state, of this website, changed at this time or later: of two filters each counts.",
            "openapi.yaml, list_articles",
            articles,
        )
        .needs(LISTED),
        Requirement::must(
            "leads.filter.together",
            "Only leads of this website, of this article, since and before these times: of two filters each counts.",
            "openapi.yaml, list_leads",
            leads,
        )
        .needs(FORM)
        .background(),
    ]
}

/// A filter: its name, a value that lets the row through, and one that does not.
type Filter = (&'static str, String, String);

/// The row `id` comes with all filters that let it through, and with none that is joined by one that does not.
async fn each_counts(context: &Context, list: List, id: &str, filters: &[Filter]) -> Verdict {
    let all: Vec<String> = filters.iter().map(|(name, through, _)| format!("{name}={through}")).collect();
    shows(context, list, &format!("limit=100&{}", all.join("&")), id, true).await?;
    for (name, through, _) in filters {
        for (other, _, out) in filters.iter().filter(|(other, ..)| other != name) {
            shows(context, list, &format!("limit=100&{name}={through}&{other}={out}"), id, false).await?;
        }
    }
    Ok(())
}

fn website(context: &Context) -> Filter {
    ("website_id", steps::segment(&context.facts().website_id), "web_unknown_to_everyone".to_owned())
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Sorting buttons twice")).await?;
    let article = demand::json(&article)?;
    if article["status"] != "draft" {
        return Err(Halt::inconclusive("an article that was to stay a draft did not"));
    }
    let updated = moment(article, "updated_at")?;
    let filters = [
        ("status", "draft".to_owned(), "published".to_owned()),
        ("updated_since", in_utc(updated), in_utc(updated + Duration::days(300_000))),
        website(&context),
    ];
    each_counts(&context, ARTICLES, demand::text(article, "id")?, &filters).await
}

async fn leads(context: Context, _: Value) -> Verdict {
    let article = steps_articles::published(&context, "Reading two gauges at once").await?;
    let article_id = steps::segment(demand::text(&article, "id")?);
    let marker = context.fresh("together");
    let form = json!({ "email": format!("{marker}@example.com"), "article_id": article["id"] });
    let lead = steps_capture::captured(&context, &marker, &form).await?;
    let at = moment(&lead, "captured_at")?;
    let later = in_utc(at + Duration::seconds(2));
    let filters = [
        ("article_id", article_id, "art_unknown_to_everyone".to_owned()),
        website(&context),
        ("captured_since", in_utc(at), later.clone()),
        ("captured_until", later, in_utc(at)),
    ];
    each_counts(&context, List::named("/leads"), demand::text(&lead, "id")?, &filters).await
}
