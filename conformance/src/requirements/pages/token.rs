//! Page tokens: opaque, protected, bound to their list and filters.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{
    Capability, Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps::control;
use crate::steps::lead_form::captured;
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS};
use crate::steps::{self, articles, lead_form, leads, lists};
use crate::strategies::Draw;

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Jobs that are cancelled, so that some are before they are finished.
const TRIES: usize = 6;

const TIMES: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::CAPTURE, Capability::JOBS];

/// Lists with a filter by time, and the member that it compares.
const TIME_FILTERS: [(&str, &str, &str); 3] = [
    ("/articles", "updated_since", "updated_at"),
    ("/leads", "captured_since", "captured_at"),
    ("/leads", "updated_since", "updated_at"),
];

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM, Capability::JOBS];

const TOKEN: &str = "openapi.yaml, PageToken";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const SOURCE: &str = "openapi.yaml, PageToken";

const LISTED: &[Capability] = &[Capability::NARROW_SCOPE, Capability::ARTICLES, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.token.carries-filters",
            "A page token carries the filters of its page: used alone, it continues with the same filters.",
            "openapi.yaml, PageToken",
            carries_filters,
        )
        .needs(PIPELINE),
        Requirement::must(
            "pages.token.carries-times",
            "A page token carries the time filters of its page: used alone, it continues with the same filters.",
            TOKEN,
            carries_times,
        )
        .needs(TIMES)
        .drawn("filters by time", Cases::Exactly(3), |_, draw| json!(TIME_FILTERS[draw.index() % 3])),
        Requirement::must(
            "pages.token.carries-article",
            "A page token carries the article_id of its page: used alone, it continues with the leads of that article.",
            TOKEN,
            carries_article,
        )
        .needs(FORM)
        .background(),
        Requirement::must(
            "pages.token.made-up",
            "A page token that the server did not issue is answered 400 invalid_page_token.",
            SOURCE,
            made_up,
        )
        .drawn("made-up tokens for every list", Cases::Divided(2), |_, draw: &mut Draw| {
            let word: String = draw.value(&"[A-Za-z0-9_.-]{1,80}");
            json!({ "list": LISTS[draw.index() % 4].path, "token": word })
        })
        .shrinks("/token", |_, case| case["token"].as_str().is_some_and(|token| !token.is_empty()))
        .needs(ALL),
        Requirement::must(
            "pages.token.altered",
            "A page token with one changed character is answered 400 invalid_page_token.",
            SOURCE,
            altered,
        )
        .drawn("places of a token", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.below(1_000)))
        .needs(ALL),
        Requirement::must(
            "pages.token.other-list",
            "A page token of another list is answered 400 invalid_page_token.",
            SOURCE,
            other_list,
        )
        .needs(ALL),
        Requirement::must(
            "pages.token.other-filters",
            "A page token used with other or additional filters is answered 400 invalid_page_token.",
            SOURCE,
            other_filters,
        )
        .drawn("other filters", Cases::Exactly(3), |_, draw: &mut Draw| json!(draw.index()))
        .needs(ALL),
        Requirement::must(
            "pages.token.repeatable",
            "A page token may be used again, and with another limit: it continues at the same row.",
            SOURCE,
            repeatable,
        )
        .needs(ALL),
        Requirement::must(
            "pages.token.with-bad-limit",
            "A bad limit together with a bad page token is answered 422 for the limit.",
            "openapi.yaml, parameters",
            with_bad_limit,
        )
        .needs(ALL),
        Requirement::must(
            "pages.token.other-key",
            "A page token belongs to the account, not to the key: another key of the same account may use it.",
            "openapi.yaml, PageToken",
            other_key,
        )
        .needs(LISTED),
    ]
}

async fn carries_filters(context: Context, _: Value) -> Verdict {
    // An entry that is not cancelled, with cancelled ones before it.
    steps::written(&context, &steps::quiet_request(&context, "Learning to juggle")).await?;
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&steps::quiet_request(&context, "Learning to whistle"))).await?;
        demand::success(&queued)?;
        steps::discard(&context, &queued).await?;
    }
    let page = lists::page(&context, POSTS, "limit=1&status=cancelled").await?;
    let Some(token) = lists::next_of(demand::json(&page)?) else {
        return Err(Halt::inconclusive("too few jobs could be cancelled before they were finished"));
    };
    let next = lists::page(&context, POSTS, &lists::with_token("limit=100", token)).await?;
    let other = lists::rows(demand::json(&next)?).iter().find(|row| row["status"] != "cancelled");
    ensure(other.is_none(), "rows with status cancelled only", || other.map_or_else(String::new, demand::brief))
}

/// Three rows, oldest first, each later than the one before.
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

/// The ids on the pages behind the first one of `query`, which has one row, by the token alone.
async fn behind_first(context: &Context, list: List, query: &str) -> Result<Vec<String>, Halt> {
    let first = lists::page(context, list, &format!("limit=1&{query}")).await?;
    let Some(token) = lists::next_of(demand::json(&first)?) else {
        return Err(Halt::fail("a next_page behind one of several rows", demand::seen(&first)));
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
        return Err(Halt::inconclusive("rows of one moment"));
    }
    let since = steps::segment(demand::text(&rows[1], member)?);
    let ids = behind_first(&context, list, &format!("{filter}={since}")).await?;
    let [before, from] = [0, 1].map(|at| rows[at]["id"].as_str().unwrap_or_default().to_owned());
    ensure(ids.contains(&from), format!("the row of {filter}={since} behind the first page"), || ids.join(", "))?;
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
    ensure(ids == own, "the article's other leads", || format!("{} rows: {}", ids.len(), ids.join(", ")))
}

/// A token of the pipeline, with `filter` in force.
async fn token(context: &Context, filter: &str) -> Result<String, Halt> {
    lists::ensure_rows(context, POSTS, 3).await?;
    let page = lists::page(context, POSTS, &format!("limit=1{filter}")).await?;
    let body = demand::json(&page)?;
    lists::next_of(body)
        .map(ToOwned::to_owned)
        .ok_or_else(|| Halt::fail("next_page on a page of one row out of three", demand::seen(&page)))
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
    // The last letter of an encoding may carry no bits.
    let places = letters.len().saturating_sub(1).max(1);
    let place = usize::try_from(place.as_u64().unwrap_or(0)).unwrap_or(0) % places;
    letters[place] = if letters[place] == 'A' { 'B' } else { 'A' };
    // The letter before a dot or at a part's end may carry no bits either.
    let decides = letters.get(place + 1).is_some_and(|next| *next != '.');
    ensure_met(decides, "the letter that was changed may carry no bits")?;
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
    // A token alone may stand for the filters that it carries, so leaving them out is no fault.
    let changes = [
        (String::new(), own.clone()),
        (own.clone(), format!("{own}&status=queued")),
        (own, "&website_id=web_other".to_owned()),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % changes.len();
    let (with, then) = &changes[index];
    let token = token(&context, with).await?;
    let query = lists::with_token(&format!("limit=1{then}"), &token);
    demand::problem(&*context.send(POSTS.page(&query)).await?, 400, &["invalid_page_token"])
}

async fn repeatable(context: Context, _: Value) -> Verdict {
    let token = token(&context, "").await?;
    let first = lists::page(&context, POSTS, &lists::with_token("limit=1", &token)).await?;
    let again = lists::page(&context, POSTS, &lists::with_token("limit=1", &token)).await?;
    let wider = lists::page(&context, POSTS, &lists::with_token("limit=50", &token)).await?;
    let ids = |exchange: &crate::check::Exchange| exchange.json().map(|page| POSTS.ids(page)).unwrap_or_default();
    demand::same("the rows", &json!(ids(&first)), &json!(ids(&again)))?;
    lists::ensure_rows(&context, POSTS, 5).await?;
    let page = lists::page(&context, POSTS, "limit=2").await?;
    if let Some(token) = lists::next_of(demand::json(&page)?) {
        let narrower = lists::page(&context, POSTS, &lists::with_token("limit=1", token)).await?;
        ensure(ids(&narrower).len() <= 1, "at most 1 row with limit=1", || ids(&narrower).len().to_string())?;
    }
    let begins = ids(&wider).starts_with(&ids(&first));
    ensure(begins, "a wider page that begins with the same row", || ids(&wider).first().cloned().unwrap_or_default())
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
        return Err(Halt::inconclusive("the list has one row only"));
    };
    let request = ARTICLES.page(&lists::with_token("limit=1", other_key));
    let first = context.send(request.clone()).await?;
    demand::status(&first, 200)?;
    let other = context.send(request.by(Credential::NarrowScope)).await?;
    demand::status(&other, 200)?;
    let wanted = json!(ARTICLES.ids(demand::json(&first)?));
    demand::same("the rows for the other key", &wanted, &json!(ARTICLES.ids(demand::json(&other)?)))
}
