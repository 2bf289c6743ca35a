//! Filters of lists: a list contains the items that match, and no others.

use chrono::{Duration, SecondsFormat, SubsecRound as _};
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::articles::draft;
use crate::steps::draws::one_of;
use crate::steps::lists::{ARTICLES, POSTS, each_counts, list_of, of_website, shows};
use crate::steps::pipeline::settled;
use crate::steps::times::{in_utc, moment, server_now, spellings, written_at};
use crate::steps::{self, articles, lists, operations, publishing};
use crate::strategies::{Draw, ParameterKind, Space};

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const LISTED: &[Capability] = &[Capability::ARTICLES, Capability::JOBS];

/// Multiples of the time of an article after which the older of two articles is published.
const FARTHER: [u32; 3] = [2, 4, 8];

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.filter.website",
            "With website_id the list contains only items of that website; an unknown id gives an empty page.",
            &[Sentence("Only items of this website."), Sentence("An unknown or foreign id gives an empty page.")],
            website,
        )
        .drawn("lists with that filter", Cases::Exactly(3), |_, draw| {
            json!(["/articles", "/leads", "/scheduled_posts"][draw.index() % 3])
        })
        .needs(ALL),
        Requirement::new(
            "pages.filter.status",
            "With status the list contains only items of that status.",
            &[Sentence("Only articles in this state."), Sentence("Only scheduled posts in this state.")],
            status,
        )
        .drawn("lists and states", Cases::Exactly(8), |_, draw| json!(draw.index()))
        .needs(ALL),
        Requirement::new(
            "pages.filter.updated-since",
            "With updated_since the list contains only articles that changed at that time or later.",
            &[Sentence("Only articles changed at this time or later (RFC 3339 with a zone).")],
            updated_since,
        )
        .needs(LISTED),
        Requirement::new(
            "pages.filter.articles-match",
            "With status and website_id, alone and together, the list contains every article that matches.",
            &[
                Sentence("Only articles in this state."),
                Sentence("Only items of this website."),
                Sentence("An item that matches the filters during the whole walk appears in it exactly once."),
            ],
            articles,
        )
        .needs(LISTED),
        Requirement::new(
            "pages.filter.entries-match",
            "With status and website_id, alone and together, the list contains every scheduled post that matches.",
            &[
                Sentence("Only scheduled posts in this state."),
                Sentence("Only items of this website."),
                Sentence("A scheduled post appears together with its job and stays in the list when it is published."),
            ],
            entries,
        )
        .needs(PIPELINE),
        Requirement::new(
            "pages.filter.changed-since",
            "updated_since compares the time of the last change: an article that was published after it was written matches up to then.",
            &[
                Sentence("Only articles changed at this time or later (RFC 3339 with a zone)."),
                Sentence("When it last changed."),
                Sentence("Filters compare times as responses show them, in milliseconds."),
            ],
            changed_since,
        )
        .needs(LISTED)
        .background(),
        Requirement::new(
            "pages.filter.order",
            "Filters do not change the order of a list, and neither do changes of an item: an article that was written before another one \
             and published after it comes behind it.",
            &[
                Sentence(
                    "All lists have a fixed order: newest first by `created_at` or `captured_at`, then by `id`, both descending.",
                ),
                Sentence("A change does not move an article."),
            ],
            order,
        )
        .needs(LISTED)
        .background(),
        Requirement::new(
            "pages.filter.moments",
            "A filter by time accepts every spelling of RFC 3339 with a zone, and the same time gives the same articles.",
            &[
                Sentence("Only articles changed at this time or later (RFC 3339 with a zone)."),
                Sentence("Times in requests may have any zone."),
                Sentence("Filters compare times as responses show them, in milliseconds."),
            ],
            moments_of_articles,
        )
        .needs(LISTED),
        Requirement::new(
            "pages.filter.id-bounds",
            "A filter by id accepts 1 to 128 code points: an empty or longer id gets 422 with the name of the parameter.",
            &[
                Part("/components/parameters/WebsiteFilter/schema"),
                Part("/paths/~1api~1v1~1leads/get/parameters/1/schema"),
                Sentence("An unknown or foreign id gives an empty page."),
                Sentence("A query parameter is invalid."),
            ],
            id_bounds,
        )
        .needs(ALL)
        .drawn("every filter by id", Cases::Listed(|space| ids(space).len()), |space, draw: &mut Draw| {
            one_of(&ids(space), draw)
        }),
        Requirement::new(
            "pages.filter.vocabulary",
            "Every documented status is accepted as a filter, even if no item has it.",
            &[
                Part("/components/schemas/ArticleStatusFilter/enum"),
                Part("/components/schemas/ScheduledPostStatusFilter/enum"),
            ],
            vocabulary,
        )
        .needs(ALL)
        .drawn("every word", Cases::Listed(|space| words(space).len()), |space, draw: &mut Draw| {
            one_of(&words(space), draw)
        }),
        Requirement::new(
            "pages.filter.refused",
            "A filter with an unknown status, a malformed time or an empty value gets 422 with the name of the parameter.",
            &[
                Part("/components/schemas/ArticleStatusFilter/enum"),
                Part("/components/schemas/ScheduledPostStatusFilter/enum"),
                Sentence("Only articles changed at this time or later (RFC 3339 with a zone)."),
                Sentence("Only leads captured at this time or later (RFC 3339 with a zone)."),
                Sentence("Only leads captured before this time (RFC 3339 with a zone)."),
                Sentence("Only leads changed at this time or later (RFC 3339 with a zone)."),
                Sentence("A query parameter is invalid."),
            ],
            bad_filter,
        )
        .drawn("bad filters", Cases::Listed(|space| bad(space).len()), |space, draw: &mut Draw| one_of(&bad(space), draw))
        .needs(ALL),
        Requirement::new(
            "pages.filter.articles-together",
            "Several filters of the list of articles apply together: the list contains only articles that match all of them.",
            &[
                Sentence("Only articles in this state."),
                Sentence("Only articles changed at this time or later (RFC 3339 with a zone)."),
                Sentence("Only items of this website."),
            ],
            articles_together,
        )
        .needs(LISTED),
    ]
}

async fn status(context: Context, case: Value) -> Verdict {
    let filters = [
        (ARTICLES, "draft"),
        (ARTICLES, "published"),
        (ARTICLES, "scheduled"),
        (ARTICLES, "archived"),
        (POSTS, "queued"),
        (POSTS, "ready"),
        (POSTS, "published"),
        (POSTS, "cancelled"),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % filters.len();
    let (list, status) = filters[index];
    lists::ensure_rows(&context, list, 1).await?;
    if status == "published" && context.facts().capabilities.contains(&Capability::JOBS) {
        // Only an item that has changed since its creation shows whether the filter uses its current status.
        let publish = async { articles::published(&context, "Labels for a shelf").await };
        context.once("a published article", Box::pin(publish)).await?;
    }
    let page = lists::page(&context, list, &format!("limit=50&status={status}")).await?;
    let other = lists::rows(demand::json(&page)?).iter().find(|row| row["status"] != status);
    ensure(other.is_none(), format!("only items with status {status}"), || {
        other.map_or_else(String::new, demand::brief)
    })
}

async fn website(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 1).await?;
    let own = context.facts().website_id.as_str();
    let page = lists::page(&context, list, &format!("limit=100&website_id={}", steps::segment(own))).await?;
    let foreign = lists::rows(demand::json(&page)?).iter().find(|row| row["website_id"] != own);
    ensure(foreign.is_none(), "only items of that website", || foreign.map_or_else(String::new, demand::brief))?;
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
    let entry = settled(&context, job_id, &["ready"], context.grace()).await.map_err(|halt| match halt {
        Halt::Fail(_) => Halt::inconclusive("the scheduled post of a written draft did not become ready"),
        other => other,
    })?;
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
    // Only the server's clock decides which times are in the future.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Looking at a clock"))).await?;
    demand::success(&queued)?;
    let now = moment(demand::json(&queued)?, "created_at")?;
    steps::discard(&context, &queued).await?;
    let mut body = steps::published_request(&context, "Waiting for a tram");
    body["publish_at"] = json!((now + publishing::ahead(&context)).to_rfc3339_opts(SecondsFormat::Millis, true));
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

async fn order(context: Context, _: Value) -> Verdict {
    for times in FARTHER {
        let mut body = steps::published_request(&context, "Waiting for a bus");
        body["publish_at"] = json!(written_at(server_now(&context).await? + times * publishing::ahead(&context)));
        let (_, early) = steps::written(&context, &body).await?;
        let (_, newer) = draft(&context).await?;
        let id = demand::text(demand::json(&early)?, "id")?;
        let late = articles::until_published(&context, id, 2 * publishing::limit(&context)).await?;
        let article = demand::json(&late)?;
        let is_later = |field: &str| Ok::<_, Halt>(moment(&newer, field)? > moment(article, field)?);
        if !is_later("created_at")? || is_later("updated_at")? {
            continue;
        }
        let since = format!("updated_since={}", in_utc(moment(article, "created_at")?));
        for filter in [since, format!("website_id={}", own_website(&context))] {
            let is_either = |row: &Value| row["id"] == id || row["id"] == newer["id"];
            let rows = lists::found(&context, ARTICLES, &format!("limit=100&{filter}"), is_either).await?;
            ensure_met(rows.len() == 2, "one of the two articles is not in the list yet")?;
            let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
            demand::same("the articles, newest first", &json!([newer["id"], id]), &json!(ids))?;
        }
        return Ok(());
    }
    Err(Halt::inconclusive("the article was published before a newer one was written"))
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

/// Minimum length of a made-up id that surely does not exist.
const NOBODYS: usize = 16;

/// Returns ids of accepted and of refused lengths.
fn ids(space: &Space) -> Vec<Value> {
    let kind = ParameterKind::Text;
    [space.parameters_taken(kind), space.parameters_refused(kind)].concat()
}

fn words(space: &Space) -> Vec<Value> {
    space.parameters_taken(ParameterKind::Word)
}

/// Returns words outside the vocabulary, and malformed times.
fn bad(space: &Space) -> Vec<Value> {
    [ParameterKind::Word, ParameterKind::Time].map(|kind| space.parameters_refused(kind)).concat()
}

async fn id_bounds(context: Context, case: Value) -> Verdict {
    if case["codes"].is_array() {
        return operations::parameter_refused(&context, &case).await;
    }
    let page = operations::parameter_taken(&context, &case).await?;
    if case["value"].as_str().is_some_and(|id| id.chars().count() < NOBODYS) {
        return Ok(());
    }
    demand::same("items", &json!([]), &demand::json(&page)?["items"])
}

async fn vocabulary(context: Context, case: Value) -> Verdict {
    operations::parameter_taken(&context, &case).await.map(|_| ())
}

async fn bad_filter(context: Context, case: Value) -> Verdict {
    operations::parameter_refused(&context, &case).await
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
