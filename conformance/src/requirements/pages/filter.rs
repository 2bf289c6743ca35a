//! Filters of lists: what matches comes and nothing else.

use std::time::Instant;

use chrono::{Duration, SecondsFormat, SubsecRound as _};
use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::filters::{each_counts, of_website};
use crate::steps::listed::{LISTED_WITHIN, draft};
use crate::steps::lists::{ARTICLES, List, POSTS, shows};
use crate::steps::moments::{in_utc, moment, spellings};
use crate::steps::pages::{list_of, status};
use crate::steps::{articles, lists};
use crate::strategies::Draw;

const SOURCE: &str = "openapi.yaml, parameters";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const LISTED: &[Capability] = &[Capability::ARTICLES, Capability::JOBS];

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// How long after it is ordered an article is published: later than it is written.
const AHEAD: i64 = 2;

/// Lists with a filter by id.
const BY_ID: [(&str, &str); 4] = [
    ("/articles", "website_id"),
    ("/scheduled_posts", "website_id"),
    ("/leads", "website_id"),
    ("/leads", "article_id"),
];

/// Filters with a value that must be refused.
const BAD_FILTERS: [(&str, &str, &str); 13] = [
    ("/articles", "status", "no-such-state"),
    ("/articles", "status", "PUBLISHED"),
    ("/articles", "updated_since", "yesterday"),
    ("/articles", "updated_since", "2026-01-01"),
    ("/scheduled_posts", "status", "draft"),
    ("/leads", "captured_since", "2026-13-01T00%3A00%3A00Z"),
    ("/leads", "captured_until", "2026-01-01T00%3A00%3A00"),
    ("/leads", "captured_since", "1760000000"),
    ("/articles", "status", ""),
    ("/articles", "updated_since", ""),
    ("/scheduled_posts", "status", ""),
    ("/leads", "captured_since", ""),
    ("/leads", "captured_until", ""),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.filter.website",
            "With website_id only rows of that website come; an unknown one gives an empty page.",
            "openapi.yaml, WebsiteFilter",
            website,
        )
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        }).needs(ALL),
        Requirement::must(
            "pages.filter.status",
            "With status only rows of that status come.",
            "openapi.yaml, list_articles and list_scheduled_posts",
            status,
        )
        .drawn("lists and states", Cases::Exactly(8), |_, draw| json!(draw.index())).needs(ALL),
        Requirement::must(
            "pages.filter.updated-since",
            "With updated_since only articles come that changed at or after that moment.",
            "openapi.yaml, list_articles",
            updated_since,
        )
        .needs(LISTED),
        Requirement::must(
            "pages.filter.articles-match",
            "Only articles in this state, only what belongs to this website: what matches comes, also with both.",
            "openapi.yaml, list_articles",
            articles,
        )
        .needs(LISTED),
        Requirement::must(
            "pages.filter.entries-match",
            "Only entries in this state, only what belongs to this website: what matches comes, also with both.",
            "openapi.yaml, list_scheduled_posts",
            entries,
        )
        .needs(PIPELINE),
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
            "pages.filter.id-bounds",
            "An id to filter by has 1 to 128 code points: without one or with more it is refused with 422 that names it.",
            SOURCE,
            id_bounds,
        )
        .needs(ALL)
        .drawn("every filter by id", Cases::Exactly(4), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::must(
            "pages.filter.vocabulary",
            "Every status of the vocabulary can be filtered by, whether or not anything has it.",
            "openapi.yaml, ArticleStatusFilter and ScheduledPostStatusFilter",
            vocabulary,
        )
        .needs(ALL),
        Requirement::must(
            "pages.filter.refused",
            "A status outside its vocabulary or a malformed time, also an empty one, is refused with 422 that names the parameter.",
            SOURCE,
            bad_filter,
        )
        .drawn("bad filters", Cases::Exactly(13), |_, draw: &mut Draw| json!(draw.index())).needs(ALL),
        Requirement::must(
            "pages.filter.articles-together",
            "Only articles in this state, of this website, changed at this time or later: of two filters each counts.",
            "openapi.yaml, list_articles",
            articles_together,
        )
        .needs(LISTED),
    ]
}

async fn website(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 1).await?;
    let own = context.facts().website_id.as_str();
    let page = lists::page(&context, list, &format!("limit=100&website_id={}", steps::segment(own))).await?;
    let foreign = lists::rows(demand::json(&page)?).iter().find(|row| row["website_id"] != own);
    ensure(foreign.is_none(), "rows of that website only", || foreign.map_or_else(String::new, demand::brief))?;
    let empty = lists::page(&context, list, "website_id=web_unknown_to_everyone").await?;
    demand::same("items", &json!([]), &demand::json(&empty)?["items"])
}

async fn updated_since(context: Context, _: Value) -> Verdict {
    lists::ensure_rows(&context, ARTICLES, 1).await?;
    let never = lists::page(&context, ARTICLES, "updated_since=2199-01-01T00%3A00%3A00Z").await?;
    demand::same("items", &json!([]), &demand::json(&never)?["items"])?;
    let always = lists::page(&context, ARTICLES, "limit=1&updated_since=2001-01-01T00%3A00%3A00Z").await?;
    let page = demand::json(&always)?;
    // A page may be empty while another follows.
    let holds = !lists::rows(page).is_empty() || lists::next_of(page).is_some();
    ensure(holds, "an article that changed since 2001", || demand::seen(&always))
}

fn own_website(context: &Context) -> String {
    steps::segment(&context.facts().website_id)
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = draft(&context).await?;
    let (id, own_website) = (demand::text(&article, "id")?, own_website(&context));
    let status = demand::text(&article, "status")?;
    if status == "published" {
        return Err(Halt::inconclusive("an article that was to stay a draft was published"));
    }
    for (query, expected) in [
        (format!("limit=100&status={status}"), true),
        (format!("limit=100&website_id={own_website}"), true),
        (format!("limit=100&website_id={own_website}&status={status}"), true),
        ("limit=100&status=published".to_owned(), false),
        (format!("limit=100&status=published&website_id={own_website}"), false),
    ] {
        shows(&context, ARTICLES, &query, id, expected).await?;
    }
    Ok(())
}

async fn entries(context: Context, _: Value) -> Verdict {
    let (job, _) = draft(&context).await?;
    let job_id = demand::text(&job, "job_id")?;
    let deadline = Instant::now() + LISTED_WITHIN;
    let entry = loop {
        let entry = lists::entries_of(&context, job_id).await?.into_iter().next().unwrap_or_default();
        if entry["status"] == "ready" {
            break entry;
        }
        if Instant::now() >= deadline {
            return Err(Halt::inconclusive("the entry of a written draft did not become ready"));
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    let (id, own_website) = (demand::text(&entry, "id")?, own_website(&context));
    for (query, expected) in [
        ("limit=100&status=ready".to_owned(), true),
        (format!("limit=100&website_id={own_website}"), true),
        (format!("limit=100&website_id={own_website}&status=ready"), true),
        ("limit=100&status=published".to_owned(), false),
        (format!("limit=100&status=published&website_id={own_website}"), false),
    ] {
        shows(&context, POSTS, &query, id, expected).await?;
    }
    Ok(())
}

async fn changed_since(context: Context, _: Value) -> Verdict {
    // The target's own clock says what lies ahead.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Looking at a clock"))).await?;
    demand::success(&queued)?;
    let now = moment(demand::json(&queued)?, "created_at")?;
    steps::discard(&context, &queued).await?;
    let mut body = steps::published_request(&context, "Waiting for a tram");
    body["publish_at"] = json!((now + Duration::seconds(AHEAD)).to_rfc3339_opts(SecondsFormat::Millis, true));
    let article = articles::publication(&context, &body).await?;
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

async fn id_bounds(context: Context, case: Value) -> Verdict {
    let (path, parameter) = BY_ID[index_of(&case) % BY_ID.len()];
    let list = List::named(path);
    let longest = steps::segment(&"\u{1f4da}".repeat(128));
    let page = lists::page(&context, list, &format!("{parameter}={longest}")).await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])?;
    let too_long = ["too_long", "invalid_format", "out_of_range"];
    let too_short = ["too_short", "invalid_format", "required", "out_of_range"];
    for (value, codes) in [("a".repeat(129), &too_long[..]), (String::new(), &too_short[..])] {
        let exchange = context.send(list.page(&format!("{parameter}={value}"))).await?;
        demand::parameter_error(&exchange, parameter, codes)?;
    }
    Ok(())
}

async fn vocabulary(context: Context, _: Value) -> Verdict {
    let articles = ["draft", "scheduled", "published", "archived"].map(|status| (ARTICLES, status));
    let entries = ["queued", "generating", "ready", "scheduled", "publishing", "published", "failed", "cancelled"];
    for (list, status) in articles.into_iter().chain(entries.map(|status| (POSTS, status))) {
        lists::page(&context, list, &format!("limit=1&status={status}")).await?;
    }
    Ok(())
}

async fn bad_filter(context: Context, case: Value) -> Verdict {
    let (path, parameter, value) = BAD_FILTERS[index_of(&case) % BAD_FILTERS.len()];
    let exchange = context.send(List::named(path).page(&format!("{parameter}={value}"))).await?;
    let codes: &[&str] = if value.is_empty() {
        &["invalid_format", "required", "too_short", "out_of_range"]
    } else {
        &["invalid_format", "out_of_range"]
    };
    demand::parameter_error(&exchange, parameter, codes)
}

async fn articles_together(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Sorting buttons twice")).await?;
    let article = demand::json(&article)?;
    if article["status"] != "draft" {
        return Err(Halt::inconclusive("an article that was to stay a draft did not"));
    }
    let updated = moment(article, "updated_at")?;
    let filters = [
        ("status", "draft".to_owned(), "published".to_owned()),
        ("updated_since", in_utc(updated), in_utc(updated + Duration::days(300_000))),
        of_website(&context),
    ];
    each_counts(&context, ARTICLES, demand::text(article, "id")?, &filters).await
}
