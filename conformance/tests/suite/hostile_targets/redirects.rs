//! The suite sends requests only to its target. It never follows references to another server.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use contentgen_conformance::spec::Profile;

use super::ends_in_a_finding;
use super::listener::Hostile;

#[tokio::test]
async fn nothing_that_points_elsewhere_is_asked() {
    let asked = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&asked);
    let elsewhere = Hostile::start(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let url = elsewhere.base_url.clone();
    let redirecting = Hostile::start(move |connection| {
        while connection.read_request() {
            let head =
                format!("HTTP/1.1 307 Elsewhere\r\nlocation: {url}/api/v1/articles/x\r\ncontent-length: 0\r\n\r\n");
            connection.write(head.as_bytes());
        }
    });
    ends_in_a_finding("redirects", redirecting, Profile::Full).await;

    // Every reference that a response can contain, with a URL on another server.
    let url = elsewhere.base_url.clone();
    let pointing = Hostile::start(move |connection| {
        while connection.read_request() {
            let body = format!(
                r#"{{"job_id":"j","article_id":"j","id":"j","status":"completed","done":true,"url":"{url}/page",
                "items":[{{"id":"j","website_id":"web_1","status":"active"}}],"next_page":"t"}}"#
            );
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nlocation: {url}/l\r\ncontent-location: {url}/c\r\nlink: <{url}/n>; rel=\"next\"\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            connection.write([head.as_bytes(), body.as_bytes()].concat().as_slice());
        }
    });
    ends_in_a_finding("references", pointing, Profile::Full).await;
    assert_eq!(asked.load(Ordering::Relaxed), 0, "requests to another server");
}
