//! Filters of the list of leads: by time and by article.

use chrono::{DateTime, Duration, SubsecRound as _, Utc};
use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps::lead_form::{captured as captured_by_form, settle};
use crate::steps::leads::captured;
use crate::steps::lists::{List, each_counts, of_website, shows};
use crate::steps::times::{in_utc, moment, spellings};
use crate::steps::{self, articles, credentials, lead_form, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::JOBS];

const TWO: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::JOBS, Capability::ISOLATION];

const CAPTURED_SINCE: Source = Sentence("Only leads captured at this time or later (RFC 3339 with a zone).");

const CAPTURED_UNTIL: Source = Sentence("Only leads captured before this time (RFC 3339 with a zone).");

const UPDATED_SINCE: Source = Sentence("Only leads changed at this time or later (RFC 3339 with a zone).");

const OF_ARTICLE: Source = Sentence("Only leads captured on this article.");

const HALF_OPEN: Source = Sentence("The range is half-open: `captured_since` ≤ t < `captured_until`.");

const UNKNOWN_ID: Source = Sentence("An unknown or foreign id gives an empty page.");

/// Maximum number of leads that are captured until the time of one fits.
const TRIES: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.filter.updated-since",
            "updated_since includes leads that changed at exactly that time, and excludes leads that changed before.",
            &[UPDATED_SINCE],
            updated_since,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.filter.article-matches",
            "With article_id the list shows the leads captured on that article, and no others.",
            &[OF_ARTICLE, Sentence("Lists the captured leads, newest first by `captured_at`, then by `id`.")],
            article_matches,
        )
        .needs(FORM)
        .background(),
        Requirement::new(
            "leads.filter.foreign-article",
            "With another account's article_id the list of leads is empty, even if a lead form named that article.",
            &[UNKNOWN_ID, Sentence("The lead does not keep the id of anything else.")],
            foreign_article,
        )
        .needs(TWO)
        .background(),
        Requirement::new(
            "leads.filter.fractions",
            "Filters by time read fractions of a second correctly: .5 is half a second.",
            &[HALF_OPEN, Standard("RFC 3339", "5.6")],
            fractions,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.filter.far-bounds",
            "Filters by time accept and apply times that are centuries away.",
            &[CAPTURED_SINCE, CAPTURED_UNTIL, UPDATED_SINCE, Standard("RFC 3339", "5.6")],
            far_bounds,
        )
        .needs(CAPTURE),
        // Only a warning: a server may cut bounds to milliseconds, too.
        Requirement::new(
            "leads.filter.finer-bounds",
            "A filter by time compares fractions of a millisecond: half a millisecond after captured_at is after it.",
            &[
                Sentence("Filters compare times as responses show them, in milliseconds."),
                HALF_OPEN,
                Standard("RFC 3339", "5.6"),
            ],
            finer_bounds,
        )
        .should()
        .needs(CAPTURE),
        Requirement::new(
            "leads.filter.article",
            "With an unknown article_id the list of leads is empty.",
            &[UNKNOWN_ID],
            unknown_article,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.filter.moments",
            "Filters by time accept RFC 3339 in any zone. captured_since and updated_since include leads of exactly that time, captured_until excludes them, and a range that ends before it begins is empty.",
            &[
                HALF_OPEN,
                Sentence("A time before `captured_since` gives an empty page."),
                CAPTURED_SINCE,
                CAPTURED_UNTIL,
                UPDATED_SINCE,
                Sentence("Times in requests may have any zone."),
                Standard("RFC 3339", "5.6"),
            ],
            spellings_of_times,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.filter.together",
            "Several filters of the list of leads apply together: a lead is shown only if it matches every one.",
            &[
                OF_ARTICLE,
                CAPTURED_SINCE,
                CAPTURED_UNTIL,
                UPDATED_SINCE,
                Sentence("Only items of this website."),
                UNKNOWN_ID,
            ],
            together,
        )
        .needs(FORM)
        .background(),
    ]
}

async fn updated_since(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("changed"));
    let lead = captured(&context, &email, "Robin Changed", "since when").await?;
    let (id, at) = (demand::text(&lead, "id")?, moment(&lead, "updated_at")?);
    let leads = List::named("/leads");
    for (since, expected) in [(at, true), (at + Duration::milliseconds(1), false)] {
        shows(&context, leads, &format!("limit=100&updated_since={}", in_utc(since)), id, expected).await?;
    }
    Ok(())
}

async fn article_matches(context: Context, _: Value) -> Verdict {
    let article = articles::published(&context, "Reading a weather chart").await?;
    let id = demand::text(&article, "id")?;
    let mut own = Vec::new();
    for word in ["first", "second"] {
        let marker = context.fresh(word);
        let body = json!({ "email": format!("{marker}@example.com"), "article_id": id });
        let lead = captured_by_form(&context, &marker, &body).await?;
        demand::same("article_id", &json!(id), &lead["article_id"])?;
        own.push(lead["id"].clone());
    }
    settle(&context).await?;
    let query = format!("limit=100&article_id={}", steps::segment(id));
    let rows = lists::found(&context, List::named("/leads"), &query, |_| true).await?;
    own.reverse();
    let found: Value = rows.iter().map(|row| row["id"].clone()).collect();
    demand::same("the leads of the article, newest first", &json!(own), &found)
}

async fn foreign_article(context: Context, _: Value) -> Verdict {
    let job = credentials::published_by_other(&context, "Reading a tide table").await?;
    let id = demand::text(&job, "article_id")?;
    let marker = context.fresh("stranger");
    // The target may accept or refuse such a form.
    lead_form::send(&context, &json!({ "email": format!("{marker}@example.com"), "article_id": id })).await?;
    settle(&context).await?;
    let query = format!("limit=100&article_id={}", steps::segment(id));
    let rows = lists::found(&context, List::named("/leads"), &query, |_| true).await?;
    ensure(rows.is_empty(), "no lead of another account's article", || demand::brief(&rows[0]))
}

/// Captures a lead; returns its id and its time.
async fn lead(context: &Context) -> Result<(String, DateTime<Utc>), Halt> {
    let email = format!("{}@example.com", context.fresh("bound"));
    let lead = captured(context, &email, "Robin Bound", "just in time").await?;
    Ok((demand::text(&lead, "id")?.to_owned(), moment(&lead, "captured_at")?))
}

/// Demands that `captured_since={bound}` finds the lead `id` of the time `at` if `since` is true, and that
/// `captured_until={bound}` finds it otherwise.
async fn ensure_separates(context: &Context, (id, at): (&str, DateTime<Utc>), bound: &str, since: bool) -> Verdict {
    let leads = List::named("/leads");
    let bound = steps::segment(bound);
    // Leads that are captured meanwhile cannot push this one off the page.
    let soon = in_utc(at + Duration::seconds(2));
    shows(context, leads, &format!("limit=100&captured_since={bound}&captured_until={soon}"), id, since).await?;
    shows(context, leads, &format!("limit=100&captured_until={bound}"), id, !since).await
}

async fn fractions(context: Context, _: Value) -> Verdict {
    for _ in 0..TRIES {
        let (id, at) = lead(&context).await?;
        // Near the end of a second the next tenth is in the next second, and has no fraction to misread.
        if !(1..900).contains(&at.timestamp_subsec_millis()) {
            continue;
        }
        for (digits, unit) in [(1, 100), (2, 10)] {
            let before = i64::from(at.timestamp_subsec_millis()) / unit;
            for (number, since) in [(before, true), (before + 1, false)] {
                let is_edge = i64::from(at.timestamp_subsec_millis()) == number * unit;
                let bound = format!("{}.{number:0digits$}Z", at.format("%Y-%m-%dT%H:%M:%S"));
                if !is_edge {
                    ensure_separates(&context, (&id, at), &bound, since).await?;
                }
            }
        }
        return Ok(());
    }
    Err(Halt::inconclusive("all leads were captured near the end of a second, or their times have no fraction"))
}

async fn far_bounds(context: Context, _: Value) -> Verdict {
    let (id, at) = lead(&context).await?;
    let leads = List::named("/leads");
    let (from, soon) = (in_utc(at), in_utc(at + Duration::seconds(2)));
    let (past, future) = ("1900-01-01T00%3A00%3A00Z", "9999-12-31T23%3A59%3A59Z");
    for (query, expected) in [
        (format!("captured_since={past}&captured_until={soon}"), true),
        (format!("captured_since={from}&captured_until={future}"), true),
        (format!("captured_until={past}"), false),
        (format!("captured_since={future}"), false),
        (format!("updated_since={past}&captured_since={from}&captured_until={soon}"), true),
        (format!("updated_since={future}"), false),
    ] {
        shows(&context, leads, &format!("limit=100&{query}"), &id, expected).await?;
    }
    Ok(())
}

async fn finer_bounds(context: Context, _: Value) -> Verdict {
    let (id, at) = lead(&context).await?;
    let bound = format!("{}5Z", at.format("%Y-%m-%dT%H:%M:%S%.3f"));
    ensure_separates(&context, (&id, at), &bound, false).await
}

async fn unknown_article(context: Context, _: Value) -> Verdict {
    let list = List::named("/leads");
    lists::ensure_rows(&context, list, 1).await?;
    let page = lists::page(&context, list, "article_id=art_unknown_to_everyone").await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])
}

async fn spellings_of_times(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("moment"));
    let lead = captured(&context, &email, "Robin Moment", "what time is it").await?;
    let (id, at) = (demand::text(&lead, "id")?, moment(&lead, "captured_at")?);
    let list = List::named("/leads");
    let (own, far) = (in_utc(at), "2199-01-01T00%3A00%3A00Z");
    for (since, until, expected) in [(own.as_str(), far, true), (far, own.as_str(), false)] {
        let range = format!("limit=100&captured_since={since}&captured_until={until}");
        shows(&context, list, &range, id, expected).await?;
    }
    let second = at.trunc_subsecs(0);
    for (bound, since, until) in
        [(at, true, false), (second, true, false), (second + Duration::seconds(1), false, true)]
    {
        for text in spellings(bound) {
            shows(&context, list, &format!("limit=100&captured_since={text}"), id, since).await?;
            shows(&context, list, &format!("limit=100&captured_until={text}"), id, until).await?;
            shows(&context, list, &format!("limit=100&updated_since={text}"), id, since).await?;
        }
    }
    Ok(())
}

async fn together(context: Context, _: Value) -> Verdict {
    let article = articles::published(&context, "Reading two gauges at once").await?;
    let article_id = steps::segment(demand::text(&article, "id")?);
    let marker = context.fresh("together");
    let form = json!({ "email": format!("{marker}@example.com"), "article_id": article["id"] });
    let lead = captured_by_form(&context, &marker, &form).await?;
    let at = moment(&lead, "captured_at")?;
    let later = in_utc(at + Duration::seconds(2));
    let filters = [
        ("article_id", article_id, "art_unknown_to_everyone".to_owned()),
        of_website(&context),
        ("captured_since", in_utc(at), later.clone()),
        ("updated_since", in_utc(at), later.clone()),
        ("captured_until", later, in_utc(at)),
    ];
    each_counts(&context, List::named("/leads"), demand::text(&lead, "id")?, &filters).await
}
