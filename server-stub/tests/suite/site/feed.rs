//! The feed of a website, read by an XML parser.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::server::{self, Settings};
use roxmltree::{Document, Node};
use serde_json::json;

use super::harness::{get, get_again, published_on, website};

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
async fn whoever_has_the_feed_is_told_so_until_it_changes() {
    let running = server::start(Settings::demo()).await.unwrap();
    let website_id = running.accounts()[0].website_id.clone();
    let order = json!({ "topic": "Keeping bread fresh", "website_id": website_id, "target_word_count": 200 });
    let article = published_on(&running, &order).await;
    let index = format!("/sites/{website_id}");
    let page = format!("{index}/{}", article["slug"].as_str().unwrap());
    let mut tags = Vec::new();
    let paths = [index.clone(), page.clone(), format!("{index}/feed.xml"), format!("{index}/sitemap.xml")];
    for path in &paths {
        let first = get(&running, path).await;
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        assert!(first.headers().contains_key("last-modified"), "{path}");
        let again = get_again(&running, path, &format!("\"other\", W/{tag}")).await;
        assert_eq!(
            (again.status(), again.headers()["etag"].to_str().unwrap()),
            (reqwest::StatusCode::NOT_MODIFIED, tag.as_str())
        );
        assert_eq!(again.text().await.unwrap(), "", "{path}");
        tags.push(tag);
    }
    let order = json!({ "topic": "Baking for forty", "website_id": website_id, "target_word_count": 200 });
    published_on(&running, &order).await;
    for (path, tag) in paths.iter().zip(&tags) {
        let again = get_again(&running, path, tag).await;
        let expected = if *path == page { 304 } else { 200 };
        assert_eq!(again.status(), expected, "{path}");
    }
    assert!(running.stop().await);
}
