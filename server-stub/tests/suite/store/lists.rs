//! Promises about lists: against a model, with random rows, filters and page sizes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contentgen_server_stub::domain::account::{Account, Website, WebsiteStatus};
use contentgen_server_stub::domain::article::{ArticleStatus, ArticleSummary};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation};
use contentgen_server_stub::domain::post::{PostStatus, ScheduledPost};
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::store::{
    ArticleFilter, LeadFilter, LeaseOutcome, PageKey, PageRequest, PostFilter, Result, SearchPage, WebsiteFilter,
};
use contentgen_server_stub::domain::visibility::Visibility;
use futures::future::join_all;
use proptest::prelude::*;

use super::world::{LEASE, World};

/// Returns the rows of all pages of `list`, until a page is not full.
async fn walk<T>(limit: u32, key: impl Fn(&T) -> PageKey, list: impl AsyncFn(PageRequest) -> Result<Vec<T>>) -> Vec<T> {
    let mut rows = Vec::new();
    let mut after = None;
    loop {
        let page = list(PageRequest { after, limit }).await.unwrap();
        assert!(page.len() <= limit as usize);
        let is_last = page.len() < limit as usize;
        after = page.last().map(&key);
        rows.extend(page);
        if is_last {
            return rows;
        }
    }
}

/// Returns the rows of all pages of a search, until it has checked all rows.
async fn walk_search<T>(limit: u32, find: impl AsyncFn(PageRequest) -> Result<SearchPage<T>>) -> Vec<T> {
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let found = find(PageRequest { after, limit }).await.unwrap();
        assert!(found.rows.len() <= limit as usize);
        rows.extend(found.rows);
        after = found.next;
        if after.is_none() {
            return rows;
        }
    }
}

fn newest_first<T>(rows: &mut [T], key: impl Fn(&T) -> PageKey) {
    rows.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        (b.time, b.id).cmp(&(a.time, a.id))
    });
}

fn lead_key(lead: &Lead) -> PageKey {
    PageKey { time: lead.captured_at, id: lead.id.clone() }
}

fn article_key(article: &ArticleSummary) -> PageKey {
    PageKey { time: article.created_at, id: article.id.clone() }
}

fn post_key(post: &ScheduledPost) -> PageKey {
    PageKey { time: post.created_at, id: post.id.clone() }
}

/// Creates a second and a third website, and a website of another account.
async fn websites(world: &World) -> [String; 3] {
    let stranger = Account { id: "acct_2".to_owned(), name: "second".to_owned(), created_at: world.now() };
    world.store.create_account(&stranger).await.unwrap();
    let second = world.website("web_2", WebsiteStatus::Active);
    let mut foreign = world.website("web_foreign", WebsiteStatus::Active);
    foreign.account_id = stranger.id;
    world.store.create_website(&second).await.unwrap();
    world.store.create_website(&foreign).await.unwrap();
    [world.website_id.clone(), second.website_id, foreign.website_id]
}

#[derive(Debug, Clone)]
pub(crate) struct LeadCase {
    /// Website, second and name of each lead, and the second of its confirmation.
    leads: Vec<(usize, i64, &'static str, Option<i64>)>,
    limit: u32,
    website: Option<usize>,
    since: Option<i64>,
    until: Option<i64>,
    updated_since: Option<i64>,
    is_restricted: bool,
    search: Option<&'static str>,
}

pub(crate) fn lead_cases() -> impl Strategy<Value = LeadCase> {
    let names = prop::sample::select(vec!["Ann Lee", "ANNA", "50% off_", "Stra\u{df}e", "back\\slash"]);
    let leads = prop::collection::vec((0..3_usize, 0..6_i64, names, prop::option::of(0..9_i64)), 0..40);
    let searches = prop::sample::select(vec!["ann", "nn", "%", "_", "STRA\u{df}E", "\\", "zzz", "example"]);
    let time = || prop::option::of(0..7_i64);
    let filters = ((prop::option::of(0..3_usize), time(), time(), time()), prop::option::of(searches));
    (leads, 1..9_u32, filters, any::<bool>()).prop_map(|(leads, limit, (bounds, search), is_restricted)| {
        let (website, since, until, updated_since) = bounds;
        LeadCase { leads, limit, website, since, until, updated_since, is_restricted, search }
    })
}

pub(crate) async fn a_walk_over_leads_equals_the_model(world: World, case: LeadCase) {
    let websites = websites(&world).await;
    let start = world.now();
    let at = |second: i64| start.plus_millis(second * 1000);
    let mut model = Vec::new();
    for (website, second, name, confirmed) in &case.leads {
        let (mut lead, _) = world.lead(None);
        lead.name = Some((*name).to_owned().into());
        lead.website_id.clone_from(&websites[*website]);
        if *website == 2 {
            "acct_2".clone_into(&mut lead.account_id);
        }
        (lead.captured_at, lead.updated_at) = (at(*second), at(*second));
        lead.confirmation = LeadConfirmation::of_new_lead(confirmed.is_some());
        let event = Event::lead_captured(format!("evt_{}", lead.id), &lead, None);
        world.store.capture_lead(&lead, &event, start, world.now()).await.unwrap();
        if let Some(confirmed) = confirmed {
            lead = lead.confirmed(at(*confirmed));
            let event = Event::lead_confirmed(format!("evt_on_{}", lead.id), &lead, lead.updated_at);
            assert!(world.store.confirm_lead(&lead, &event, world.now()).await.unwrap());
        }
        model.push(lead);
    }
    let allowed = case.is_restricted.then(|| vec![websites[1].clone(), websites[2].clone()]);
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: allowed };
    let filter = LeadFilter {
        website_id: case.website.map(|website| websites[website].clone()),
        article_id: None,
        captured_since: case.since.map(at),
        captured_until: case.until.map(at),
        updated_since: case.updated_since.map(at),
    };
    let search = case.search.and_then(Search::parse);
    model.retain(|lead| {
        visibility.sees(&lead.account_id, &lead.website_id)
            && filter.website_id.as_ref().is_none_or(|id| *id == lead.website_id)
            && filter.captured_since.is_none_or(|since| lead.captured_at >= since)
            && filter.captured_until.is_none_or(|until| lead.captured_at < until)
            && filter.updated_since.is_none_or(|since| lead.updated_at >= since)
            && search.as_ref().is_none_or(|search| lead.search_text().contains(search.as_str()))
    });
    newest_first(&mut model, lead_key);
    let walked = match &search {
        Some(search) => {
            let find = async |page| world.store.search_leads(&visibility, &filter, search, &page).await;
            walk_search(case.limit, find).await
        }
        None => {
            walk(case.limit, lead_key, async |page| world.store.list_leads(&visibility, &filter, &page).await).await
        }
    };
    assert_eq!(walked, model);
    let count = world.store.count_leads(&visibility, &filter, search.as_ref()).await;
    assert_eq!(count.unwrap(), model.len() as u64);
}

/// A search for rare rows ends after some rows, and the next page continues there.
pub(crate) async fn a_search_looks_at_few_rows_for_each_page(world: World) {
    let start = world.now();
    let mut found = Vec::new();
    for number in 0..450 {
        let (mut lead, event) = world.lead(None);
        lead.email = Some(format!("reader-{number}@example.org").into());
        if matches!(number, 7 | 9) {
            lead.name = Some("Ada Brook".to_owned().into());
            found.insert(0, lead.id.clone());
        }
        world.store.capture_lead(&lead, &event, start, world.now()).await.unwrap();
        world.advance(Duration::from_millis(number % 2));
    }
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let (filter, search) = (LeadFilter::default(), Search::parse("ada brook").unwrap());
    let find = async |page: PageRequest| world.store.search_leads(&visibility, &filter, &search, &page).await;
    let first = find(PageRequest { after: None, limit: 1 }).await.unwrap();
    assert_eq!((first.rows.len(), first.next.is_some()), (0, true), "a page of one checks only a few rows");
    let walked: Vec<_> = walk_search(1, find).await.into_iter().map(|lead| lead.id).collect();
    assert_eq!(walked, found);
}

pub(crate) async fn rows_that_arrive_during_a_walk_neither_hide_nor_repeat_others(world: World) {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    for number in 0..25 {
        world.queue(world.submission(&format!("topic {number}"))).await;
        world.advance(Duration::from_millis(number % 2));
    }
    let filter = PostFilter::default();
    let before = walk(100, post_key, async |page| world.store.list_posts(&visibility, &filter, &page).await).await;
    let walked = walk(4, post_key, async |page| {
        let rows = world.store.list_posts(&visibility, &filter, &page).await;
        world.advance(Duration::from_millis(1));
        world.queue(world.submission("arrives meanwhile")).await;
        rows
    })
    .await;
    assert_eq!(walked, before);
}

pub(crate) async fn filters_of_posts_and_articles_hold(world: World) {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let page = PageRequest { after: None, limit: 10 };
    let start = world.now();
    for number in 0..4 {
        world.queue(world.submission(&format!("topic {number}"))).await;
        world.advance(Duration::from_secs(1));
    }
    for claimed in world.store.claim_jobs(2, world.moment(), world.now().plus_millis(1)).await.unwrap().claimed {
        world.begin(&claimed, LEASE).await.unwrap();
        let completion = world.completion(&claimed, &claimed.job.request.topic);
        world.store.complete_job(completion).await.unwrap();
        world.advance(Duration::from_secs(1));
    }
    let posts = async |status| {
        let filter = PostFilter { website_id: Some(world.website_id.clone()), status: Some(status) };
        let posts = world.store.list_posts(&visibility, &filter, &page).await.unwrap();
        posts.into_iter().map(|post| post.topic).collect::<Vec<_>>()
    };
    assert_eq!(posts(PostStatus::Queued).await, ["topic 3", "topic 2"]);
    assert_eq!(posts(PostStatus::Scheduled).await, ["topic 1", "topic 0"]);
    assert!(posts(PostStatus::Published).await.is_empty());
    let articles = async |status, updated_since: Option<Timestamp>| {
        let filter = ArticleFilter { website_id: None, status, updated_since };
        world.store.list_articles(&visibility, &filter, &page).await.unwrap()
    };
    let titles = |articles: Vec<ArticleSummary>| articles.into_iter().map(|article| article.title).collect::<Vec<_>>();
    assert_eq!(titles(articles(Some(ArticleStatus::Scheduled), None).await), ["topic 1", "topic 0"]);
    assert_eq!(titles(articles(None, Some(start.plus_millis(5000))).await), ["topic 1"]);
    assert!(articles(Some(ArticleStatus::Published), None).await.is_empty());
}

/// A few changed articles are sorted for each page. Many are found by scanning all articles.
pub(crate) async fn changed_articles_are_in_order_however_many_they_are(world: World) {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let start = world.now();
    for number in 0..1010 {
        // Some have the same time, so the id decides.
        world.advance(Duration::from_millis(number % 2));
        world.queue(world.submission(&format!("topic {number}"))).await;
    }
    loop {
        let claimed = world.claim().await;
        if claimed.is_empty() {
            break;
        }
        let completed = claimed.iter().map(|one| {
            world.advance(Duration::from_millis(1));
            world.store.complete_job(world.completion(one, &one.job.request.topic))
        });
        join_all(completed).await.into_iter().for_each(|outcome| assert_eq!(outcome.unwrap(), LeaseOutcome::Recorded));
    }
    // One article of ten changes again, later than all others.
    let later = start.plus_millis(1_000_000);
    world.execute(&format!("UPDATE articles SET updated_at = {} WHERE slug LIKE '%7'", later.millis()));
    let list = async |status, updated_since| {
        let filter = ArticleFilter { website_id: None, status, updated_since };
        walk(100, article_key, async |page| world.store.list_articles(&visibility, &filter, &page).await).await
    };
    let mut all = list(None, None).await;
    assert_eq!(all.len(), 1010);
    assert!(all.is_sorted_by(|one, next| {
        let (one, next) = (article_key(one), article_key(next));
        (one.time, one.id) > (next.time, next.id)
    }));
    assert_eq!(list(None, Some(start)).await, all);
    let is_restricted_to = async |website_id: &str, by_filter: bool| {
        let website_id = website_id.to_owned();
        let (website_ids, website_id) =
            if by_filter { (None, Some(website_id)) } else { (Some(vec![website_id]), None) };
        let visibility = Visibility { account_id: world.account_id.clone(), website_ids };
        let filter = ArticleFilter { website_id, status: None, updated_since: Some(later) };
        walk(100, article_key, async |page| world.store.list_articles(&visibility, &filter, &page).await).await
    };
    // Between two pages, too many articles change to be sorted.
    let many = AtomicBool::new(false);
    let walked = walk(100, article_key, async |page| {
        let filter = ArticleFilter { website_id: None, status: None, updated_since: Some(later) };
        let rows = world.store.list_articles(&visibility, &filter, &page).await;
        if !many.swap(true, Ordering::Relaxed) {
            world.execute(&format!("UPDATE articles SET updated_at = {}", later.millis()));
        }
        rows
    })
    .await;
    let is_seven = |article: &&ArticleSummary| article.title.ends_with('7');
    let sevens: Vec<_> = all.iter().filter(is_seven).take(100).cloned().collect();
    let last = article_key(&sevens[99]);
    let behind = all.iter().filter(|article| (article.created_at, &article.id) < (last.time, &last.id));
    assert_eq!(walked, sevens.iter().chain(behind).cloned().collect::<Vec<_>>());
    world.execute(&format!("UPDATE articles SET updated_at = {} WHERE slug NOT LIKE '%7'", start.millis()));

    all.retain(|article| article.title.ends_with('7'));
    assert_eq!(all.len(), 101);
    assert_eq!(list(None, Some(later)).await, all);
    assert_eq!(list(Some(ArticleStatus::Scheduled), Some(later)).await, all);
    assert!(list(Some(ArticleStatus::Draft), Some(later)).await.is_empty());
    assert!(list(None, Some(later.plus_millis(1))).await.is_empty());
    for by_filter in [true, false] {
        assert_eq!(is_restricted_to(&world.website_id, by_filter).await, all);
        assert!(is_restricted_to("web_other", by_filter).await.is_empty());
    }
}

pub(crate) async fn a_restricted_caller_sees_only_its_websites(world: World) {
    let ids = websites(&world).await;
    let page = PageRequest { after: None, limit: 10 };
    let list = async |website_ids: Option<Vec<String>>| {
        let visibility = Visibility { account_id: world.account_id.clone(), website_ids };
        let websites: Vec<Website> =
            world.store.list_websites(&visibility, &WebsiteFilter::default(), &page).await.unwrap();
        websites.into_iter().map(|website| website.website_id).collect::<Vec<_>>()
    };
    let mut all = vec![ids[0].clone(), ids[1].clone()];
    all.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(list(None).await, all);
    assert_eq!(list(Some(vec![ids[1].clone(), ids[2].clone()])).await, [ids[1].clone()]);
    assert!(list(Some(Vec::new())).await.is_empty());
}
