//! The feed of a website, read by an XML parser.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::server::{self, Server, Settings};
use roxmltree::{Document, Node};
use serde_json::json;

use super::harness::{get, get_if, on_each_database, published_on, website};
use crate::moved_clock::MovedClock;

/// Namespace of whole texts in a feed.
const CONTENT: &str = "http://purl.org/rss/1.0/modules/content/";

/// A name that breaks XML without escaping.
const NAME: &str = "Bread & <b>butter</b> ]]> \"co\"";
const TOPICS: [&str; 3] =
    ["Why 1 < 2 & 3 > 2", "</title></item><script>alert(1)</script>", "Brot \u{1f35e} und ]]> Käse"];

/// Returns the text of the single child with this name and no namespace.
fn text<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let children = node.children().filter(|child| child.has_tag_name(name) && child.tag_name().namespace().is_none());
    let children: Vec<_> = children.collect();
    assert_eq!(children.len(), 1, "{name}");
    children[0].text().unwrap_or_default()
}

#[tokio::test]
async fn the_feed_is_rss_that_tells_of_each_article_once() {
    let running = server::start(Settings::demo()).await.unwrap();
    let website_id = website(&running, NAME, WebsiteSettings::default()).await;
    let path = format!("/sites/{website_id}/feed.xml");
    let base = running.base_url().unwrap();
    let empty = get(&running, &path).await.text().await.unwrap();
    assert!(!Document::parse(&empty).unwrap().descendants().any(|node| node.has_tag_name("item")));
    let mut articles = Vec::new();
    for topic in TOPICS {
        let order = json!({ "topic": topic, "website_id": website_id, "target_word_count": 200 });
        articles.insert(0, published_on(&running, &order).await);
    }
    let response = get(&running, &path).await;
    assert_eq!(response.headers()["content-type"], "application/rss+xml; charset=utf-8");
    let xml = response.text().await.unwrap();
    let document = Document::parse(&xml).unwrap();
    let root = document.root_element();
    assert!(root.has_tag_name("rss") && root.attribute("version") == Some("2.0"));
    let channel = root.first_element_child().unwrap();
    assert_eq!(text(channel, "title"), NAME);
    assert_eq!(text(channel, "link"), format!("{base}/sites/{website_id}"));
    assert_eq!(text(channel, "language"), "en");
    chrono::DateTime::parse_from_rfc2822(text(channel, "lastBuildDate")).unwrap();
    let own = channel.children().find(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "link"))).unwrap();
    assert_eq!(own.attribute("rel"), Some("self"));
    assert_eq!(own.attribute("href"), Some(format!("{base}{path}").as_str()));
    let items: Vec<_> = channel.children().filter(|node| node.has_tag_name("item")).collect();
    assert_eq!(items.len(), articles.len());
    for (item, article) in items.into_iter().zip(&articles) {
        assert_eq!(text(item, "title"), article["title"]);
        assert_eq!(text(item, "link"), article["url"]);
        assert_eq!(text(item, "description"), article["excerpt"]);
        assert_eq!(text(item, "guid"), article["id"]);
        let guid = item.children().find(|node| node.has_tag_name("guid")).unwrap();
        assert_eq!(guid.attribute("isPermaLink"), Some("false"));
        let published = chrono::DateTime::parse_from_rfc2822(text(item, "pubDate")).unwrap();
        let expected = chrono::DateTime::parse_from_rfc3339(article["published_at"].as_str().unwrap()).unwrap();
        assert_eq!(published.timestamp(), expected.timestamp());
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn whoever_has_a_page_is_told_so_until_it_changes() {
    for (settings, _schema) in on_each_database() {
        let clock = Arc::new(MovedClock::running());
        let server = Server::builder().settings(settings).clock(Arc::clone(&clock) as Arc<dyn Clock>);
        let running = server.start().await.unwrap();
        let website_id = running.accounts()[0].website_id.clone();
        let order = json!({ "topic": "Keeping bread fresh", "website_id": website_id, "target_word_count": 200 });
        let article = published_on(&running, &order).await;
        let index = format!("/sites/{website_id}");
        let page = format!("{index}/{}", article["slug"].as_str().unwrap());
        let paths = [index.clone(), page.clone(), format!("{index}/feed.xml"), format!("{index}/sitemap.xml")];
        for path in &paths {
            let young = get(&running, path).await;
            assert!(!young.headers().contains_key("last-modified"), "{path} may change again in the same second");
        }
        let mut seen = Vec::new();
        clock.advance(Duration::from_secs(10));
        for path in &paths {
            let first = get(&running, path).await;
            let header = |name: &str| first.headers()[name].to_str().unwrap().to_owned();
            let (tag, date) = (header("etag"), header("last-modified"));
            let listed = format!("\"other\", W/{tag}");
            let (none_match, since) = (("if-none-match", listed.as_str()), ("if-modified-since", date.as_str()));
            let early = ("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT");
            for (conditions, status) in [
                (&[none_match][..], 304),
                (&[since], 304),
                (&[none_match, early], 304),
                (&[("if-none-match", "\"other\""), since], 200),
                (&[early], 200),
                (&[("if-modified-since", "now")], 200),
            ] {
                let again = get_if(&running, path, conditions).await;
                assert_eq!(again.status(), status, "{path} {conditions:?}");
                assert_eq!(again.headers()["etag"].to_str().unwrap(), tag);
                assert_eq!(again.headers()["last-modified"].to_str().unwrap(), date);
                assert_eq!(again.text().await.unwrap().is_empty(), status == 304, "{path}");
            }
            seen.push((tag, date));
        }
        let order = json!({ "topic": "Baking for forty", "website_id": website_id, "target_word_count": 200 });
        let second = published_on(&running, &order).await;
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        // Once at once, and once when the change has settled. Then the second article is taken down.
        for step in 0..4 {
            for (path, (tag, date)) in paths.iter().zip(&seen) {
                let expected = if *path == page { 304 } else { 200 };
                let by_date = get_if(&running, path, &[("if-modified-since", date)]).await;
                assert_eq!(by_date.status(), expected, "{step} {path}");
                // Without the second article, the lists are as before.
                let expected = if step < 2 { expected } else { 304 };
                let expected = if step >= 2 && path.ends_with("sitemap.xml") { 200 } else { expected };
                let expected = if step >= 2 && path.ends_with("feed.xml") { 200 } else { expected };
                assert_eq!(get_if(&running, path, &[("if-none-match", tag)]).await.status(), expected, "{step} {path}");
            }
            if step == 1 {
                let id = second["id"].as_str().unwrap();
                assert!(running.app().archive_article(&account.visibility(), id).await.unwrap());
            }
            clock.advance(Duration::from_secs(10));
        }
        assert!(running.stop().await);
    }
}

#[tokio::test]
async fn the_feed_has_the_full_text_if_the_website_wants_it() {
    for (settings, _schema) in on_each_database() {
        let running = Server::builder().settings(settings).start().await.unwrap();
        let website_id = website(&running, NAME, WebsiteSettings { full_text_feed: true, ..Default::default() }).await;
        let mut articles = Vec::new();
        for topic in TOPICS {
            let order = json!({ "topic": topic, "website_id": website_id, "target_word_count": 200 });
            articles.insert(0, published_on(&running, &order).await);
        }
        let path = format!("/sites/{website_id}/feed.xml");
        let xml = get(&running, &path).await.text().await.unwrap();
        let document = Document::parse(&xml).unwrap();
        let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name((CONTENT, "encoded"))).collect();
        let texts: Vec<_> = texts.iter().map(|node| node.text().unwrap()).collect();
        assert_eq!(texts, articles.iter().map(|article| article["content_html"].as_str().unwrap()).collect::<Vec<_>>());
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        let saved = running.app().set_site(&account, &website_id, (None, Some(false))).await.unwrap();
        assert!(!saved.full_text_feed && !saved.pages_at_url);
        let xml = get(&running, &path).await.text().await.unwrap();
        assert!(xml.contains("<description>") && !xml.contains("<content:encoded>"), "{xml}");
        assert!(running.stop().await);
    }
}
