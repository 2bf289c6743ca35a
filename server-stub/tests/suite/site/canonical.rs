//! Addresses at which readers find an article. All parts of the server use the same one.

use contentgen_server_stub::app::{PublishTo, WebsiteSettings};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::publishing_target::{FrontMatter, PublishingTarget};
use contentgen_server_stub::server::{Running, Server, Settings};
use serde_json::{Value, json};

use super::harness::{get, on_each_database, published_on, website};
use crate::hooks::receiver::{Answer, Receiver, status};

const FOLDER: &str = "posts";

/// Returns the texts between `start` and `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
}

/// Checks that pages, feed and sitemap of a hosted article name this address and no other.
async fn assert_pages(running: &Running, article: &Value, address: &str) {
    let index = format!("/sites/{}", article["website_id"].as_str().unwrap());
    let path = format!("{index}/{}", article["slug"].as_str().unwrap());
    let page = get(running, &path).await;
    assert_eq!(page.status(), 200, "{path}");
    let html = page.text().await.unwrap();
    assert_eq!(between(&html, "<link rel=\"canonical\" href=\"", "\""), [address]);
    assert_eq!(between(&html, "<meta property=\"og:url\" content=\"", "\""), [address]);
    let data = between(&html, "<script type=\"application/ld+json\">", "</script>")[0];
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["@graph"][0]["mainEntityOfPage"]["@id"], address);
    let feed = get(running, &format!("{index}/feed.xml")).await.text().await.unwrap();
    assert!(between(&feed, "<link>", "</link>").contains(&address), "{feed}");
    let sitemap = get(running, &format!("{index}/sitemap.xml")).await.text().await.unwrap();
    let places = between(&sitemap, "<loc>", "</loc>");
    assert!(places.contains(&address), "{sitemap}");
    let host = |url: &str| url::Url::parse(url).unwrap().origin();
    assert!(places.iter().all(|place| host(place) == host(address)), "{sitemap} names several hosts");
    let list = get(running, &index).await.text().await.unwrap();
    let link = between(&list, "<h2><a href=\"", "\"")[0];
    let base = url::Url::parse(&format!("{}{index}", running.base_url().unwrap())).unwrap();
    assert_eq!(base.join(link).unwrap().as_str(), address);
}

#[tokio::test]
async fn every_part_of_the_server_names_the_same_address_of_an_article() {
    for (settings, _schema) in on_each_database() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { publish_root: Some(folder.path().to_owned()), ..settings };
        let running = Server::builder().settings(settings).start().await.unwrap();
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        let receiver = Receiver::start(&[("/hook", Answer::Bytes(status("200 OK")))]).await;
        running.create_hook(&account.name, &receiver.url("/hook"), &[EventType::ArticlePublished]).await.unwrap();
        let base = running.base_url().unwrap();
        let mut hooks = 0;
        for (pages_at_url, is_file) in [(false, false), (true, false), (false, true), (true, true)] {
            let name = format!("{pages_at_url} {is_file}");
            let website_id = website(&running, &name, WebsiteSettings { pages_at_url, ..Default::default() }).await;
            if is_file {
                let folder = format!("{FOLDER}-{pages_at_url}");
                let to = PublishTo::Directory { folder, front_matter: FrontMatter::Yaml };
                running
                    .app()
                    .set_publishing_target(&account, &website_id, &PublishingTarget::Hosted, to)
                    .await
                    .unwrap();
            }
            let order = json!({ "topic": "Rye bread", "website_id": website_id, "target_word_count": 200 });
            let article = published_on(&running, &order).await;
            let slug = article["slug"].as_str().unwrap();
            let own = format!("https://bold.example/{slug}");
            let hosted = format!("{base}/sites/{website_id}/{slug}");
            let address = if pages_at_url || is_file { &own } else { &hosted };
            assert_eq!((&article["url"], &article["canonical_url"]), (&json!(address), &json!(address)), "{name}");
            hooks += 1;
            let received = receiver.wait_for("/hook", hooks).await;
            let event: Value = serde_json::from_slice(&received[hooks - 1].body).unwrap();
            assert_eq!(event["data"]["article"]["url"], json!(address), "{name}");
            if is_file {
                let file = folder.path().join(format!("{FOLDER}-{pages_at_url}/{slug}.md"));
                let text = std::fs::read_to_string(file).unwrap();
                assert_eq!(between(&text, "\ncanonical_url: \"", "\""), [address]);
                // A file has no page on this server, whatever the setting says.
                assert_eq!(get(&running, &format!("/sites/{website_id}/{slug}")).await.status(), 404);
                let sitemap = get(&running, &format!("/sites/{website_id}/sitemap.xml")).await.text().await.unwrap();
                assert!(!sitemap.contains(slug), "{sitemap}");
            } else {
                assert_pages(&running, &article, address).await;
                // A change of the setting is visible at once, in either direction.
                for is_own in [!pages_at_url, pages_at_url] {
                    running.app().set_site(&account, &website_id, (Some(is_own), None)).await.unwrap();
                    assert_pages(&running, &article, if is_own { &own } else { &hosted }).await;
                }
            }
        }
        assert!(running.stop().await);
    }
}

#[tokio::test]
async fn an_article_has_no_address_before_it_is_published_and_after_it_is_taken_down() {
    for (settings, _schema) in on_each_database() {
        let running = Server::builder().settings(settings).start().await.unwrap();
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        let website_id = running.accounts()[0].website_id.clone();
        let order = json!({ "topic": "Rye bread", "website_id": website_id, "target_word_count": 200 });
        let article = published_on(&running, &order).await;
        let id = article["id"].as_str().unwrap();
        assert!(running.app().archive_article(&account.visibility(), id).await.unwrap());
        for is_restored in [false, true] {
            if is_restored {
                assert!(running.app().restore_article(&account.visibility(), id).await.unwrap());
            }
            let article = super::harness::api(&running, &format!("/api/v1/articles/{id}"), None).await;
            assert_eq!((&article["url"], &article["canonical_url"]), (&Value::Null, &Value::Null), "{is_restored}");
            let page = get(&running, &format!("/sites/{website_id}/{}", article["slug"].as_str().unwrap())).await;
            assert_eq!(page.status(), 404);
        }
        assert!(running.stop().await);
    }
}
