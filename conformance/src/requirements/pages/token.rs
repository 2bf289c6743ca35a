//! Page tokens: opaque, protected, and bound to their list, filters and account.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Exchange, Halt, Request, Requirement, Source, Verdict, demand,
    ensure, ensure_met,
};
use crate::steps::draws::index_of;
use crate::steps::lead_form::captured;
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS};
use crate::steps::{self, articles, control, lead_form, leads, lists};
use crate::strategies::Draw;

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Number of jobs to cancel, so that some are cancelled before they end.
const TRIES: usize = 6;

const TIMES: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::CAPTURE, Capability::JOBS];

/// Lists with a filter by time, and the field that it compares.
const TIME_FILTERS: [(&str, &str, &str); 3] = [
    ("/articles", "updated_since", "updated_at"),
    ("/leads", "captured_since", "captured_at"),
    ("/leads", "updated_since", "updated_at"),
];

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::JOBS];

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// The rule that a token keeps the filters.
const KEPT: Source = Sentence("The token keeps the filters of its list: leave them out or repeat them.");

/// Number of changes of filters.
const CHANGES: u32 = 9;

/// How long a token is valid, and for what.
const VALID: Source = Sentence("It is valid for at least 24 hours, for this list and account.");

/// The code for a token that is not valid.
const INVALID: Source = Part("/x-problem-codes/invalid_page_token/status");

const CARRIED: &[Source] =
    &[KEPT, Sentence("It keeps the filters of its list."), Sentence("To go on, pass `next_page` as `page_token`.")];

const REFUSED: &[Source] = &[INVALID, Sentence("The page token is unknown, expired, or has other filters.")];

const LISTED: &[Capability] = &[Capability::NARROW_SCOPE, Capability::ARTICLES, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.token.carries-filters",
            "A page token carries the filters of its page: used alone, it continues with the same filters.",
            CARRIED,
            carries_filters,
        )
        .needs(PIPELINE),
        Requirement::new(
            "pages.token.carries-times",
            "A page token carries the time filters of its page: used alone, it continues with the same filters.",
            CARRIED,
            carries_times,
        )
        .needs(TIMES)
        .drawn("filters by time", Cases::Exactly(3), |_, draw| json!(TIME_FILTERS[draw.index() % 3])),
        Requirement::new(
            "pages.token.carries-article",
            "A page token carries the article_id of its page: used alone, it continues with the leads of that article.",
            CARRIED,
            carries_article,
        )
        .needs(FORM)
        .background(),
        Requirement::new(
            "pages.token.made-up",
            "A page token that the server did not issue gets 400 invalid_page_token.",
            REFUSED,
            made_up,
        )
        .drawn("made-up tokens for every list", Cases::Divided(2), |_, draw: &mut Draw| {
            let word: String = draw.value(&"[A-Za-z0-9_.-]{1,80}");
            json!({ "list": LISTS[draw.index() % 4].path, "token": word })
        })
        .needs(ALL),
        Requirement::new(
            "pages.token.altered",
            "A page token with one changed character gets 400 invalid_page_token.",
            REFUSED,
            altered,
        )
        .drawn("places of a token", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.below(1_000)))
        .needs(ALL),
        Requirement::new(
            "pages.token.other-list",
            "A page token of another list gets 400 invalid_page_token.",
            &[
                INVALID,
                Sentence("Other filters, or a token of another list, are refused with 400 `invalid_page_token`."),
            ],
            other_list,
        )
        .needs(ALL),
        Requirement::new(
            "pages.token.other-filters",
            "A page token with other or additional filters gets 400 invalid_page_token.",
            &[INVALID, Sentence("Other filters are refused with 400 `invalid_page_token`.")],
            other_filters,
        )
        .drawn("other filters", Cases::Exactly(CHANGES), |_, draw: &mut Draw| json!(draw.index()))
        .needs(ALL),
        Requirement::new(
            "pages.token.repeatable",
            "A page token may be used again, and with another limit: it continues at the same item.",
            &[
                Sentence("The `next_page` of the page before: an opaque text."),
                Sentence("To go on, pass `next_page` as `page_token`."),
                Sentence("`limit` may change."),
                VALID,
            ],
            repeatable,
        )
        .needs(ALL),
        Requirement::new(
            "pages.token.with-bad-limit",
            "A bad limit together with a bad page token gets 422 for the limit.",
            &[Sentence("Lists check their parameters before the page token.")],
            with_bad_limit,
        )
        .needs(ALL),
        Requirement::new(
            "pages.token.other-key",
            "A page token belongs to the account, not to the key: another key of the account that sees the same articles may use it.",
            &[VALID, Sentence("Apart from scopes and this restriction all keys of an account see the same data.")],
            other_key,
        )
        .needs(LISTED),
    ]
}

async fn carries_filters(context: Context, _: Value) -> Verdict {
    // A scheduled post that is not cancelled, and newer ones that are.
    steps::written(&context, &steps::quiet_request(&context, "Learning to juggle")).await?;
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&steps::quiet_request(&context, "Learning to whistle"))).await?;
        demand::success(&queued)?;
        steps::discard(&context, &queued).await?;
    }
    let page = lists::page(&context, POSTS, "limit=1&status=cancelled").await?;
    let Some(token) = lists::next_of(demand::json(&page)?) else {
        return Err(Halt::inconclusive("too few jobs could be cancelled before they ended"));
    };
    let next = lists::page(&context, POSTS, &lists::with_token("limit=100", token)).await?;
    let other = lists::rows(demand::json(&next)?).iter().find(|row| row["status"] != "cancelled");
    ensure(other.is_none(), "only items with status cancelled", || other.map_or_else(String::new, demand::brief))
}

/// Makes three items and returns them oldest first; each is later than the one before.
async fn three(context: &Context, list: List) -> Result<Vec<Value>, Halt> {
    let mut rows = Vec::new();
    for _ in 0..3 {
        rows.push(if list.path == "/leads" {
            let email = format!("{}@example.com", context.fresh("narrowed"));
            leads::captured(context, &email, "Robin Narrow", "one of three").await?
        } else {
            let (_, article) = steps::written(context, &steps::quiet_request(context, "Folding a napkin")).await?;
            demand::json(&article)?.clone()
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(rows)
}

/// Returns the ids after the first item of `query`. The pages are requested by token alone, without the filter.
async fn behind_first(context: &Context, list: List, query: &str) -> Result<Vec<String>, Halt> {
    let first = lists::page(context, list, &format!("limit=1&{query}")).await?;
    let Some(token) = lists::next_of(demand::json(&first)?) else {
        return Err(Halt::fail("next_page after the first of several items", demand::seen(&first)));
    };
    let mut token = token.to_owned();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let page = lists::page(context, list, &lists::with_token("limit=100", &token)).await?;
        let body = demand::json(&page)?;
        ids.extend(list.ids(body));
        match lists::next_of(body) {
            Some(next) => next.clone_into(&mut token),
            None => break,
        }
    }
    Ok(ids)
}

async fn carries_times(context: Context, case: Value) -> Verdict {
    let [path, filter, member] = [0, 1, 2].map(|at| case[at].as_str().unwrap_or_default());
    let list = List::named(path);
    let rows = three(&context, list).await?;
    if rows[0][member] == rows[1][member] {
        return Err(Halt::inconclusive("items of one moment"));
    }
    let since = steps::segment(demand::text(&rows[1], member)?);
    let ids = behind_first(&context, list, &format!("{filter}={since}")).await?;
    let [before, from] = [0, 1].map(|at| rows[at]["id"].as_str().unwrap_or_default().to_owned());
    ensure(ids.contains(&from), format!("the item of {filter}={since} after the first page"), || ids.join(", "))?;
    ensure(!ids.contains(&before), format!("nothing older than {filter}={since}"), || before)
}

async fn carries_article(context: Context, _: Value) -> Verdict {
    let other = context.fresh("elsewhere");
    captured(&context, &other, &json!({ "email": format!("{other}@example.com") })).await?;
    let article = articles::published(&context, "Reading a rain gauge").await?;
    let id = demand::text(&article, "id")?;
    let marker = context.fresh("reader");
    for number in 0..3 {
        let email = format!("{number}-{marker}@example.com");
        lead_form::taken(&context, &json!({ "email": email, "article_id": id })).await?;
    }
    let own = lead_form::awaited(&context, &marker, 3).await?;
    let ids = behind_first(&context, List::named("/leads"), &format!("article_id={}", steps::segment(id))).await?;
    let own: Vec<&str> = own.iter().skip(1).filter_map(|lead| lead["id"].as_str()).collect();
    ensure(ids == own, "the article's other leads", || format!("{} items: {}", ids.len(), ids.join(", ")))
}

/// Returns a token of the list of scheduled posts with this filter.
async fn token(context: &Context, filter: &str) -> Result<String, Halt> {
    token_of(context, POSTS, filter).await
}

/// Returns a token of a list with this filter.
async fn token_of(context: &Context, list: List, filter: &str) -> Result<String, Halt> {
    lists::ensure_rows(context, list, 3).await?;
    let page = lists::page(context, list, &format!("limit=1{filter}")).await?;
    let body = demand::json(&page)?;
    lists::next_of(body)
        .map(ToOwned::to_owned)
        .ok_or_else(|| Halt::Unmet("the list with this filter has one page only".to_owned()))
}

async fn made_up(context: Context, case: Value) -> Verdict {
    let list = List::named(case["list"].as_str().unwrap_or_default());
    let query = lists::with_token("", case["token"].as_str().unwrap_or("x"));
    demand::problem(&*context.send(list.page(&query)).await?, 400, &["invalid_page_token"])?;
    control::listed(&context, list).await
}

async fn altered(context: Context, place: Value) -> Verdict {
    let token = token(&context, "").await?;
    let mut letters: Vec<char> = token.chars().collect();
    // The last character of an encoding may have no significant bits.
    let places = letters.len().saturating_sub(1).max(1);
    let place = usize::try_from(place.as_u64().unwrap_or(0)).unwrap_or(0) % places;
    // Another letter, whether or not the encoding distinguishes letter case.
    letters[place] = if letters[place].eq_ignore_ascii_case(&'A') { 'B' } else { 'A' };
    // The character before a dot or the padding, at the end of a part, may have no significant bits either.
    let decides = letters.get(place + 1).is_some_and(|next| !matches!(next, '.' | '='));
    ensure_met(decides, "the changed character may have no significant bits")?;
    let altered: String = letters.into_iter().collect();
    let query = lists::with_token("limit=1", &altered);
    demand::problem(&*context.send(POSTS.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn other_list(context: Context, _: Value) -> Verdict {
    let token = token(&context, "").await?;
    for list in LISTS.into_iter().filter(|list| list.path != POSTS.path) {
        let query = lists::with_token("limit=1", &token);
        demand::problem(&*context.send(list.page(&query)).await?, 400, &["invalid_page_token"])?;
    }
    Ok(())
}

async fn other_filters(context: Context, case: Value) -> Verdict {
    let own = format!("&website_id={}", steps::segment(&context.facts().website_id));
    let leads = List::named("/leads");
    let since = |name: &str, year: u32| format!("&{name}={year}-01-01T00%3A00%3A00Z");
    // A token may carry its filters, so the filters may be left out.
    let changes = [
        (POSTS, String::new(), own.clone()),
        (POSTS, own.clone(), format!("{own}&status=queued")),
        (POSTS, own, "&website_id=web_other".to_owned()),
        (ARTICLES, since("updated_since", 2001), since("updated_since", 2002)),
        (ARTICLES, String::new(), "&status=draft".to_owned()),
        (leads, since("updated_since", 2001), since("updated_since", 2002)),
        (leads, since("captured_since", 2001), since("captured_since", 2002)),
        (leads, since("captured_until", 2199), since("captured_until", 2198)),
        (leads, String::new(), "&article_id=art_other".to_owned()),
    ];
    let (list, with, then) = &changes[index_of(&case) % changes.len()];
    let token = token_of(&context, *list, with).await?;
    let query = lists::with_token(&format!("limit=1{then}"), &token);
    demand::problem(&*context.send(list.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn repeatable(context: Context, _: Value) -> Verdict {
    let token = token(&context, "").await?;
    let first = lists::page(&context, POSTS, &lists::with_token("limit=1", &token)).await?;
    let again = lists::page(&context, POSTS, &lists::with_token("limit=1", &token)).await?;
    let wider = lists::page(&context, POSTS, &lists::with_token("limit=50", &token)).await?;
    let ids = |exchange: &Exchange| exchange.json().map(|page| POSTS.ids(page)).unwrap_or_default();
    for other in [&again, &wider] {
        begin_alike(&ids(&first), &ids(other)).about(other)?;
    }
    lists::ensure_rows(&context, POSTS, 5).await?;
    let page = lists::page(&context, POSTS, "limit=2").await?;
    if let Some(token) = lists::next_of(demand::json(&page)?) {
        let narrower = lists::page(&context, POSTS, &lists::with_token("limit=1", token)).await?;
        ensure(ids(&narrower).len() <= 1, "at most 1 item with limit=1", || ids(&narrower).len().to_string())?;
    }
    Ok(())
}

/// Demands that one list of ids is the beginning of the other: a page may be short.
fn begin_alike(one: &[String], other: &[String]) -> Verdict {
    ensure_met(!(one.is_empty() && other.is_empty()), "both pages are empty")?;
    ensure(one.starts_with(other) || other.starts_with(one), "pages that begin with the same items", || {
        format!("{} and {}", one.join(", "), other.join(", "))
    })
}

async fn with_bad_limit(context: Context, _: Value) -> Verdict {
    let exchange = context.send(ARTICLES.page("limit=0&page_token=made-up")).await?;
    demand::parameter_error(&exchange, "limit", &["out_of_range"])?;
    control::listed(&context, ARTICLES).await
}

async fn other_key(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let own = Request::clone(&article.request).by(Credential::NarrowScope);
    if context.send(own).await?.status != 200 {
        return Err(Halt::inconclusive("the narrow key does not read the account's articles"));
    }
    lists::ensure_rows(&context, ARTICLES, 3).await?;
    let page = lists::page(&context, ARTICLES, "limit=1").await?;
    let Some(other_key) = lists::next_of(demand::json(&page)?) else {
        return Err(Halt::inconclusive("the list has only one item"));
    };
    let request = ARTICLES.page(&lists::with_token("limit=1", other_key));
    let first = context.send(request.clone()).await?;
    demand::status(&first, 200)?;
    let other = context.send(request.by(Credential::NarrowScope)).await?;
    if other.status == 400 {
        // A server may refuse a token if the other key is restricted to other websites.
        see_the_same(&context).await?;
    }
    demand::status(&other, 200)?;
    let wanted = json!(ARTICLES.ids(demand::json(&first)?));
    demand::same("the items for the other key", &wanted, &json!(ARTICLES.ids(demand::json(&other)?)))
}

/// Makes sure that both keys see the same articles.
async fn see_the_same(context: &Context) -> Verdict {
    let own = lists::page(context, ARTICLES, "limit=100").await?;
    let other = context.send(ARTICLES.page("limit=100").by(Credential::NarrowScope)).await?;
    demand::status(&other, 200)?;
    if ARTICLES.ids(demand::json(&own)?) == ARTICLES.ids(demand::json(&other)?) {
        return Ok(());
    }
    Err(Halt::inconclusive("the narrow key does not see the same articles"))
}
