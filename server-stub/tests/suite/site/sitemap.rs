//! The sitemap of a website for search engines.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::server::{self, Settings};
use roxmltree::Document;
use serde_json::json;

use super::harness::{get, published_on, website};

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

#[tokio::test]
async fn the_sitemap_has_each_hosted_page_of_the_website_and_no_other() {
    let running = server::start(Settings::demo()).await.unwrap();
    let website_id = website(&running, "First", WebsiteSettings::default()).await;
    let other = website(&running, "Second", WebsiteSettings::default()).await;
    let draft = json!({ "topic": "A draft", "website_id": website_id, "auto_publish": false });
    super::harness::api(&running, "/api/v1/generate", Some(draft)).await;
    let mut expected = vec![format!("{}/sites/{website_id}", running.base_url().unwrap())];
    for (topic, website_id) in [("Bread", &website_id), ("Cheese", &website_id), ("Wine", &other)] {
        let order = json!({ "topic": topic, "website_id": website_id, "target_word_count": 200 });
        let article = published_on(&running, &order).await;
        if topic != "Wine" {
            expected.push(article["url"].as_str().unwrap().to_owned());
        }
    }
    let response = get(&running, &format!("/sites/{website_id}/sitemap.xml")).await;
    assert_eq!(response.headers()["content-type"], "application/xml; charset=utf-8");
    let xml = response.text().await.unwrap();
    let document = Document::parse(&xml).unwrap();
    assert!(document.root_element().has_tag_name((NAMESPACE, "urlset")));
    let mut found = Vec::new();
    for url in document.root_element().children().filter(roxmltree::Node::is_element) {
        assert!(url.has_tag_name((NAMESPACE, "url")));
        let parts: Vec<_> = url.children().map(|part| (part.tag_name().name(), part.text().unwrap())).collect();
        let [("loc", address), ("lastmod", changed)] = parts[..] else { panic!("{parts:?}") };
        chrono::DateTime::parse_from_rfc3339(changed).unwrap();
        found.push(address.to_owned());
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(get(&running, "/sites/web_nothing/sitemap.xml").await.status(), 404);
    let robots = get(&running, "/robots.txt").await;
    assert_eq!(robots.headers()["content-type"], "text/plain; charset=utf-8");
    let robots = robots.text().await.unwrap();
    assert!(robots.starts_with("User-agent: *\nDisallow: /api/\n") && !robots.contains(&website_id), "{robots}");
    assert!(running.stop().await);
}
