//! Filters by time: what changed since, and a moment is the same however it is spelled.
//!
//! Bounds of ranges are in `leads`, malformed times in `pages_parameters`.

use chrono::{DateTime, Duration, FixedOffset, SecondsFormat, SubsecRound as _, Utc};
use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::leads::captured;
use super::requirement::Requirement;
use super::steps;
use super::steps_articles;
use super::steps_lists::{ARTICLES, List, shows};
use super::verdict::{Halt, Verdict};

const LISTED: &[Capability] = &[Capability::Articles, Capability::Jobs];
const LEADS: &[Capability] = &[Capability::Leads, Capability::Capture];

/// How long after it is ordered an article is published: later than it is written.
const AHEAD: i64 = 2;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.filter.changed-since",
            "updated_since brings articles changed at this time or later: one that was published since it was written, too.",
            "openapi.yaml, list_articles",
            changed_since,
        )
        .needs(LISTED)
        .background(),
        Requirement::must(
            "pages.filter.moments",
            "A filter by time is a moment (RFC 3339 with a zone): every spelling of it gives the same articles.",
            "openapi.yaml, list_articles",
            moments_of_articles,
        )
        .needs(LISTED),
        Requirement::must(
            "leads.filter.moments",
            "A filter by time is a moment (RFC 3339 with a zone): every spelling of it gives the same leads.",
            "openapi.yaml, list_leads",
            moments_of_leads,
        )
        .needs(LEADS),
    ]
}

/// A member that is a time.
pub(super) fn moment(object: &Value, member: &str) -> Result<DateTime<Utc>, Halt> {
    let text = demand::text(object, member)?;
    let moment = DateTime::parse_from_rfc3339(text)
        .map_err(|error| Halt::fail(format!("{member} as RFC 3339"), error.to_string()))?;
    Ok(moment.to_utc())
}

/// The moment in UTC with milliseconds, as the value of a query.
pub(super) fn in_utc(moment: DateTime<Utc>) -> String {
    steps::segment(&moment.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// The moment in other zones, and without a fraction where it has none.
fn spellings(moment: DateTime<Utc>) -> Vec<String> {
    let mut spelled = vec![moment.to_rfc3339_opts(SecondsFormat::Millis, true)];
    let is_whole = moment.timestamp_subsec_nanos() == 0;
    for seconds in [5 * 3_600 + 1_800, -8 * 3_600] {
        let Some(zone) = FixedOffset::east_opt(seconds) else { continue };
        let moment = moment.with_timezone(&zone);
        spelled.push(moment.to_rfc3339_opts(SecondsFormat::Millis, false));
        if is_whole {
            spelled.push(moment.to_rfc3339_opts(SecondsFormat::Secs, false));
        }
    }
    if is_whole {
        spelled.push(moment.to_rfc3339_opts(SecondsFormat::Secs, true));
    }
    // The plus of a zone must not become a space.
    spelled.iter().map(|text| steps::segment(text)).collect()
}

async fn changed_since(context: Context, _: Value) -> Verdict {
    // The target's own clock says what lies ahead.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Looking at a clock"))).await?;
    demand::success(&queued)?;
    let now = moment(demand::json(&queued)?, "created_at")?;
    steps::discard(&context, &queued).await?;
    let mut body = steps::published_request(&context, "Waiting for a tram");
    body["publish_at"] = json!((now + Duration::seconds(AHEAD)).to_rfc3339_opts(SecondsFormat::Millis, true));
    let article = steps_articles::publication(&context, &body).await?;
    let (created, updated) = (moment(&article, "created_at")?, moment(&article, "updated_at")?);
    if updated <= created {
        return Err(Halt::inconclusive("the article was published in the moment in which it was written"));
    }
    let id = demand::text(&article, "id")?;
    shows(&context, ARTICLES, &format!("limit=100&updated_since={}", in_utc(updated)), id, true).await?;
    let later = format!("limit=100&updated_since={}", in_utc(updated + Duration::milliseconds(1)));
    let verdict = shows(&context, ARTICLES, &later, id, false).await;
    let again = context.send(steps::get_article(id)).await?;
    if demand::json(&again)?["updated_at"] != article["updated_at"] {
        return Err(Halt::inconclusive("the article changed again"));
    }
    verdict
}

async fn moments_of_articles(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Setting a watch")).await?;
    let article = demand::json(&article)?;
    let (id, updated) = (demand::text(article, "id")?, moment(article, "updated_at")?);
    let second = updated.trunc_subsecs(0);
    for (bound, expected) in [(updated, true), (second, true), (second + Duration::seconds(1), false)] {
        for text in spellings(bound) {
            shows(&context, ARTICLES, &format!("limit=100&updated_since={text}"), id, expected).await?;
        }
    }
    Ok(())
}

async fn moments_of_leads(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("moment"));
    let lead = captured(&context, &email, "Robin Moment", "what time is it").await?;
    let (id, at) = (demand::text(&lead, "id")?, moment(&lead, "captured_at")?);
    let list = List::named("/leads");
    let second = at.trunc_subsecs(0);
    for (bound, since, until) in
        [(at, true, false), (second, true, false), (second + Duration::seconds(1), false, true)]
    {
        for text in spellings(bound) {
            shows(&context, list, &format!("limit=100&captured_since={text}"), id, since).await?;
            shows(&context, list, &format!("limit=100&captured_until={text}"), id, until).await?;
        }
    }
    Ok(())
}
