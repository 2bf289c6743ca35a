//! Lists as streams of pages and of items.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use contentgen_sdk::ErrorKind;
use contentgen_sdk::types::{Article, ScheduledPostStatus};
use futures_core::Stream;
use serde_json::{Value, json};
use wiremock::matchers::{any, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::client;

/// A website in the form of the list.
fn website(id: &str) -> Value {
    json!({
        "website_id": id, "status": "active", "name": id, "url": "https://example.com", "language": "en",
        "time_zone": "UTC", "auto_publish": true, "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z"
    })
}

/// Starts a server with pages. Each has a token (`None` for the first), its items, and the token of the next page.
async fn paged(pages: &[(Option<&str>, &[&str], Option<&str>)]) -> MockServer {
    let server = MockServer::start().await;
    for (token, ids, next) in pages {
        let items: Vec<_> = ids.iter().map(|id| website(id)).collect();
        let answer = ResponseTemplate::new(200).set_body_json(json!({ "items": items, "next_page": next }));
        let mock = Mock::given(path("/api/v1/websites"));
        match token {
            Some(token) => mock.and(query_param("page_token", *token)),
            None => mock.and(query_param_is_missing("page_token")),
        }
        .respond_with(answer)
        .mount(&server)
        .await;
    }
    server
}

#[tokio::test]
async fn items_come_from_all_pages_in_order_also_past_empty_ones() {
    let server =
        paged(&[(None, &["a", "b"], Some("t1")), (Some("t1"), &[], Some("t2")), (Some("t2"), &["c"], None)]).await;
    let client = client(&server.uri());
    let mut items = client.list_websites().limit(2).items();
    let mut ids = Vec::new();
    while let Some(website) = items.next().await {
        ids.push(website.unwrap().website_id);
    }
    assert_eq!(ids, ["a", "b", "c"]);
    assert!(items.next().await.is_none());
    let requests = server.received_requests().await.unwrap();
    assert!(requests.iter().all(|request| request.url.query().unwrap().contains("limit=2")));
}

#[tokio::test]
async fn a_list_is_narrowed_to_the_state_of_something_that_was_read() {
    let server = paged(&[]).await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "items": [] })))
        .mount(&server)
        .await;
    let client = client(&server.uri());
    let article: Article = serde_json::from_value(json!({ "status": "archived" })).unwrap();
    let status = article.status.unwrap();
    client.list_articles().status(status).send().await.unwrap();
    client.list_scheduled_posts().status(ScheduledPostStatus::Ready).send().await.unwrap();
    // A state of a newer server.
    client.list_articles().status("in_review").send().await.unwrap();
    let requests = server.received_requests().await.unwrap();
    let queries: Vec<_> = requests.iter().filter_map(|request| request.url.query()).collect();
    assert_eq!(queries, ["status=archived", "status=ready", "status=in_review"]);
}

#[tokio::test]
async fn pages_are_fetched_only_as_they_are_asked_for() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], None)]).await;
    let client = client(&server.uri());
    let mut pages = client.list_websites().pages();
    assert_eq!(pages.next().await.unwrap().unwrap().items.len(), 1);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_walk_is_a_stream() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], None)]).await;
    let client = client(&server.uri());
    let mut items = Box::pin(client.list_websites().items());
    let mut count = 0;
    while let Some(item) = std::future::poll_fn(|context| items.as_mut().poll_next(context)).await {
        item.unwrap();
        count += 1;
    }
    assert_eq!(count, 2);
}

#[tokio::test]
async fn a_page_that_names_itself_as_the_next_ends_the_walk() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], Some("t1"))]).await;
    let client = client(&server.uri());
    let mut pages = client.list_websites().pages();
    assert!(pages.next().await.unwrap().is_ok());
    assert!(pages.next().await.unwrap().is_ok());
    assert_eq!(pages.next().await.unwrap().unwrap_err().kind(), ErrorKind::UnexpectedResponse);
    assert!(pages.next().await.is_none());
}

#[tokio::test]
async fn a_circle_of_pages_ends_the_walk() {
    for length in 1..7 {
        let names: Vec<String> = (0..length + 2).map(|page| format!("t{page}")).collect();
        let mut pages: Vec<(Option<&str>, &[&str], Option<&str>)> = vec![(None, &["a"], Some("t0"))];
        let ids: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
        let pairs = names.windows(2).zip(&ids);
        pages.extend(pairs.map(|(pair, ids)| (Some(pair[0].as_str()), ids.as_slice(), Some(pair[1].as_str()))));
        // The last page points back to one that is not the first.
        pages.last_mut().unwrap().2 = Some("t1");
        let server = paged(&pages).await;
        let client = client(&server.uri());
        let mut items = client.list_websites().items();
        let mut read = 0;
        let error = loop {
            match items.next().await.expect("a circle does not end by itself") {
                Ok(_) => read += 1,
                Err(error) => break error,
            }
            assert!(read < 100, "a circle of {length} pages was not noticed");
        };
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
        assert!(read >= length + 2, "{read} of {} pages were read", length + 2);
    }
}

#[tokio::test]
async fn a_server_that_overlooks_tokens_ends_the_walk_also_where_each_is_another() {
    for (ids, length) in [(&["a", "b"][..], 1), (&["a", "b"], 2), (&["a"], 3), (&["a"], 5)] {
        let server = MockServer::start().await;
        let asked = AtomicU32::new(0);
        let ids: Vec<Vec<String>> =
            (0..length).map(|page| ids.iter().map(|id| format!("{id}{page}")).collect()).collect();
        let answer = move |_: &wiremock::Request| {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            let items: Vec<_> = ids[number as usize % length].iter().map(|id| website(id)).collect();
            ResponseTemplate::new(200).set_body_json(json!({ "items": items, "next_page": format!("at {number}") }))
        };
        Mock::given(any()).respond_with(answer).mount(&server).await;
        let client = client(&server.uri());
        let mut pages = client.list_websites().pages();
        let mut read = 0;
        let error = loop {
            match pages.next().await.expect("a circle does not end by itself") {
                Ok(_) => read += 1,
                Err(error) => break error,
            }
            assert!(read < 100, "a circle of {length} pages was not noticed");
        };
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
        assert!(read > length, "after {read} pages nothing had come again often");
    }
}

#[tokio::test]
async fn pages_that_are_the_same_end_no_walk_where_they_are_empty_or_few() {
    let empty: &[&str] = &[];
    for ids in [&[empty; 6][..], &[&["a"], &["a"], &["a"], &["b"]]] {
        let names: Vec<String> = (0..=ids.len()).map(|page| format!("t{page}")).collect();
        let mut pages: Vec<(Option<&str>, &[&str], Option<&str>)> = vec![(None, empty, Some("t0"))];
        let pairs = names.windows(2).zip(ids);
        pages.extend(pairs.map(|(pair, ids)| (Some(pair[0].as_str()), *ids, Some(pair[1].as_str()))));
        pages.last_mut().unwrap().2 = None;
        let server = paged(&pages).await;
        let client = client(&server.uri());
        let mut walk = client.list_websites().pages();
        let mut read = 0;
        while let Some(page) = walk.next().await {
            page.unwrap();
            read += 1;
        }
        assert_eq!(read, pages.len());
    }
}

/// Maximum number of consecutive empty pages.
const MOST_EMPTY_PAGES: usize = 1000;

/// Starts a server whose pages are empty except those with these numbers. Page 0 is the first, and each names another one as the next.
async fn nearly_empty(full: &'static [usize]) -> MockServer {
    let server = MockServer::start().await;
    let asked = AtomicUsize::new(0);
    let answer = move |_: &wiremock::Request| {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        let items: Vec<_> = full.contains(&number).then(|| website("a")).into_iter().collect();
        ResponseTemplate::new(200).set_body_json(json!({ "items": items, "next_page": format!("t{number}") }))
    };
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

#[tokio::test]
async fn a_list_whose_pages_stay_empty_ends() {
    for (full, empty) in [(&[][..], MOST_EMPTY_PAGES), (&[999], 2 * MOST_EMPTY_PAGES - 1)] {
        let server = nearly_empty(full).await;
        let client = client(&server.uri());
        let mut pages = client.list_websites().pages();
        let mut read = 0;
        let error = loop {
            match pages.next().await.expect("such a list does not end by itself") {
                Ok(page) => read += usize::from(page.items.is_empty()),
                Err(error) => break error,
            }
            assert!(read <= empty, "{read} empty pages were read");
        };
        assert_eq!((error.kind(), read), (ErrorKind::UnexpectedResponse, empty), "{error}");
        assert!(error.to_string().contains("1000"), "{error}");
        assert!(pages.next().await.is_none() && pages.page_token().is_some());
    }
}

#[tokio::test]
async fn a_walk_that_failed_is_taken_up_where_it_ended() {
    let server = paged(&[(None, &["a", "b"], Some("t1")), (Some("t2"), &["d"], None)]).await;
    let client = client(&server.uri());
    let mut items = client.list_websites().items();
    assert_eq!(items.page_token(), None);
    assert!(items.next().await.unwrap().is_ok() && items.next().await.unwrap().is_ok());
    assert!(items.next().await.unwrap().is_err());
    let token = items.page_token().unwrap().to_owned();
    assert_eq!(token, "t1");
    let page = json!({ "items": [website("c")], "next_page": "t2" });
    let mock = Mock::given(path("/api/v1/websites")).and(query_param("page_token", "t1"));
    mock.respond_with(ResponseTemplate::new(200).set_body_json(page)).mount(&server).await;
    let mut items = client.list_websites().page_token(token).items();
    let mut ids = Vec::new();
    while let Some(website) = items.next().await {
        ids.push(website.unwrap().website_id);
    }
    assert_eq!((ids, items.page_token()), (vec!["c".to_owned(), "d".to_owned()], None));
}

#[tokio::test]
async fn a_walk_that_ends_in_the_middle_of_a_page_repeats_that_page() {
    let server =
        paged(&[(None, &["a", "b"], Some("t1")), (Some("t1"), &["c", "d"], Some("t2")), (Some("t2"), &["e"], None)])
            .await;
    let client = client(&server.uri());
    let mut items = client.list_websites().items();
    for (id, token) in [("a", None), ("b", None), ("c", Some("t1")), ("d", Some("t1")), ("e", Some("t2"))] {
        assert_eq!(items.next().await.unwrap().unwrap().website_id, id);
        assert_eq!(items.page_token(), token, "{id}");
    }
    assert!(items.next().await.is_none() && items.page_token().is_none());
    // A walk that begins in the middle knows where.
    let mut items = client.list_websites().page_token("t1").items();
    assert_eq!(items.next().await.unwrap().unwrap().website_id, "c");
    assert_eq!(items.page_token(), Some("t1"));
    let mut pages = client.list_websites().pages();
    for next in [Some("t1"), Some("t2"), None] {
        pages.next().await.unwrap().unwrap();
        assert_eq!(pages.page_token(), next);
    }
}

#[tokio::test]
async fn an_item_that_cannot_be_read_hides_nothing_else() {
    let server = paged(&[(Some("t2"), &["e"], None)]).await;
    let mut broken = website("broken");
    broken["auto_publish"] = json!("ada@example.com");
    let mut incomplete = website("incomplete");
    incomplete.as_object_mut().unwrap().remove("name");
    let page = json!({ "items": [website("a"), broken, website("b")], "next_page": "t1" });
    let mock = Mock::given(path("/api/v1/websites")).and(query_param_is_missing("page_token"));
    mock.respond_with(ResponseTemplate::new(200).set_body_json(page)).mount(&server).await;
    let page = json!({ "items": [incomplete, "text"], "next_page": "t2" });
    let mock = Mock::given(path("/api/v1/websites")).and(query_param("page_token", "t1"));
    mock.respond_with(ResponseTemplate::new(200).set_body_json(page)).mount(&server).await;

    let client = client(&server.uri());
    let mut items = client.list_websites().items();
    let (mut ids, mut faults) = (Vec::new(), Vec::new());
    while let Some(item) = items.next().await {
        match item {
            Ok(website) => ids.push(website.website_id),
            Err(error) => {
                assert_eq!((error.kind(), error.operation()), (ErrorKind::UnexpectedResponse, Some("list_websites")));
                let item = error.unreadable_item().expect("the error is about an item");
                faults.push((item.id.clone(), item.pointer.clone(), items.page_token().map(str::to_owned)));
                assert!(error.to_string().contains(&item.pointer) && !error.to_string().contains("ada@"), "{error}");
            }
        }
    }
    assert_eq!(ids, ["a", "b", "e"]);
    let fault = |id: Option<&str>, pointer: &str, token: Option<&str>| {
        (id.map(str::to_owned), pointer.to_owned(), token.map(str::to_owned))
    };
    assert_eq!(
        faults,
        [
            fault(Some("broken"), "#/items/1", None),
            fault(Some("incomplete"), "#/items/0", Some("t1")),
            fault(None, "#/items/1", Some("t1"))
        ]
    );
    let mut pages = client.list_websites().pages();
    for token in [None, Some("t1")] {
        let error = pages.next().await.unwrap().unwrap_err();
        assert_eq!((error.kind(), pages.page_token()), (ErrorKind::UnexpectedResponse, token), "{error}");
        assert!(error.unreadable_item().is_none());
    }
    assert_eq!(pages.next().await.unwrap().unwrap().items[0].website_id, "e");
    assert!(pages.next().await.is_none());
    // The caller of `next_items` has the page, so the next one is the one to continue with.
    let mut pages = client.list_websites().pages();
    for (readable, token) in [(&[true, false, true][..], Some("t1")), (&[false, false], Some("t2")), (&[true], None)] {
        let page = pages.next_items().await.unwrap().unwrap();
        assert_eq!(page.items.iter().map(Result::is_ok).collect::<Vec<_>>(), readable);
        assert_eq!(pages.page_token(), token);
        let received: Value = serde_json::from_slice(page.body()).unwrap();
        assert_eq!(received["items"].as_array().map(Vec::len), Some(readable.len()));
        assert!(!format!("{page:?}").contains("ada@"), "{page:?}");
    }
    assert!(pages.next_items().await.is_none());
}

#[tokio::test]
async fn all_items_are_collected_or_the_first_error_is_returned() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], None)]).await;
    let websites = client(&server.uri()).list_websites().items().try_collect().await.unwrap();
    assert_eq!(websites.iter().map(|website| &website.website_id).collect::<Vec<_>>(), ["a", "b"]);
    let server = paged(&[(None, &["a"], Some("gone"))]).await;
    let error = client(&server.uri()).list_websites().items().try_collect().await.unwrap_err();
    assert_eq!(error.status().unwrap().as_u16(), 404);
}

#[tokio::test]
async fn an_error_ends_the_walk() {
    let server = paged(&[(None, &["a"], Some("gone"))]).await;
    let client = client(&server.uri());
    let mut items = client.list_websites().items();
    assert!(items.next().await.unwrap().is_ok());
    assert_eq!(items.next().await.unwrap().unwrap_err().status().unwrap().as_u16(), 404);
    assert!(items.next().await.is_none());
}

/// Tasks of a multi-threaded runtime must be `Send`. A trait with a lifetime would not be enough.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_walk_can_be_spawned() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], None)]).await;
    let (client, mut walks) = (client(&server.uri()), tokio::task::JoinSet::new());
    let by_items = client.clone();
    walks.spawn(async move {
        let mut items = by_items.list_websites().items();
        let mut count = 0;
        while let Some(item) = items.next().await {
            item.unwrap();
            count += 1;
        }
        count
    });
    walks.spawn(async move {
        let mut pages = client.list_websites().pages();
        let mut count = 0;
        while let Some(page) = pages.next().await {
            count += page.unwrap().items.len();
        }
        count
    });
    assert_eq!(walks.join_all().await, [2, 2]);
}

#[tokio::test]
async fn a_list_outside_the_document_is_read_page_by_page_and_its_loops_end() {
    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], Some("t2")), (Some("t2"), &[], None)]).await;
    let client = client(&server.uri());
    let request = |query: &[(&str, &str)]| {
        let request = client.request(http::Method::GET, "/api/v1/websites");
        query.iter().fold(request, |request, (name, value)| request.query(*name, *value))
    };
    let mut pages = request(&[("limit", "1"), ("page_token", "t1")]).pages();
    assert_eq!(pages.next().await.unwrap().unwrap().items[0]["website_id"], "b");
    assert_eq!(pages.page_token(), Some("t2"));
    assert!(pages.next().await.unwrap().unwrap().items.is_empty() && pages.next().await.is_none());
    let requests = server.received_requests().await.unwrap();
    let queries: Vec<_> = requests.iter().filter_map(|request| request.url.query()).collect();
    assert_eq!(queries, ["limit=1&page_token=t1", "limit=1&page_token=t2"]);

    let server = paged(&[(None, &["a"], Some("t1")), (Some("t1"), &["b"], Some("t1"))]).await;
    let client = self::client(&server.uri());
    let mut pages = client.request(http::Method::GET, "/api/v1/websites").pages();
    assert!(pages.next().await.unwrap().is_ok() && pages.next().await.unwrap().is_ok());
    assert_eq!(pages.next().await.unwrap().unwrap_err().kind(), ErrorKind::UnexpectedResponse);
    assert!(pages.next().await.is_none());
}
