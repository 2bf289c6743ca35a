//! The hosted site: what a reader's browser gets.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::{Client, Response};
use serde_json::{Value, json};

fn http() -> Client {
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder().no_proxy().build().unwrap()
}

async fn get(running: &Running, path: &str) -> Response {
    http().get(format!("{}{path}", running.base_url().unwrap())).send().await.unwrap()
}

async fn api(running: &Running, path: &str, body: Option<Value>) -> Value {
    let url = format!("{}{path}", running.base_url().unwrap());
    let request = match body {
        Some(body) => http().post(url).header("content-type", "application/json").body(body.to_string()),
        None => http().get(url).header("prefer", "wait=60"),
    };
    let response = request.bearer_auth(&running.accounts()[0].api_key).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Queues an article and waits until it is published; answers the article.
async fn published(running: &Running, topic: &str) -> Value {
    let order = json!({ "topic": topic, "website_id": running.accounts()[0].website_id, "target_word_count": 200 });
    let job_id = api(running, "/api/v1/generate", Some(order)).await["job_id"].as_str().unwrap().to_owned();
    while api(running, &format!("/api/v1/jobs/{job_id}"), None).await["done"] != true {}
    loop {
        let article = api(running, &format!("/api/v1/articles/{job_id}"), None).await;
        if article["status"] == "published" {
            return article;
        }
    }
}

fn path_of(running: &Running, article: &Value) -> String {
    article["url"].as_str().unwrap().strip_prefix(running.base_url().unwrap()).unwrap().to_owned()
}

#[tokio::test]
async fn an_article_page_holds_the_article_its_data_and_a_form_and_trusts_nothing_else() {
    let running = server::start(Settings::demo()).await.unwrap();
    let article = published(&running, "How <script>alert(1)</script> & \"quotes\" end up in a page").await;
    let response = get(&running, &path_of(&running, &article)).await;
    assert_eq!(response.status(), 200);
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    let html = response.text().await.unwrap();
    assert!(html.contains(article["content_html"].as_str().unwrap()));
    assert!(!html.contains("<script>alert"));
    assert!(
        html.contains(&format!("<link rel=\"canonical\" href=\"{}\">", article["canonical_url"].as_str().unwrap()))
    );
    let json_ld =
        html.split("<script type=\"application/ld+json\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert_eq!(serde_json::from_str::<Value>(json_ld).unwrap(), article["json_ld"]);
    assert!(html.contains(&format!("action=\"/capture/{}\"", article["website_id"].as_str().unwrap())));
    assert!(html.contains(&format!("name=\"article_id\" value=\"{}\"", article["id"].as_str().unwrap())));
    for address in ["/assets/site.css", "/assets/lead-form.js"] {
        assert!(html.contains(address));
        assert_eq!(get(&running, address).await.status(), 200);
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_index_lists_published_articles_newest_first_page_by_page() {
    let running = server::start(Settings::demo()).await.unwrap();
    let index = format!("/sites/{}", running.accounts()[0].website_id);
    assert!(get(&running, &index).await.text().await.unwrap().contains("Nothing is published yet"));
    let mut slugs = Vec::new();
    for number in 0..26 {
        let article = published(&running, &format!("Keeping bread fresh, part {number}")).await;
        slugs.push(article["slug"].as_str().unwrap().to_owned());
    }
    let first = get(&running, &index).await.text().await.unwrap();
    let position = |slug: &String| first.find(&format!("{index}/{slug}\""));
    assert!(position(&slugs[25]).unwrap() < position(&slugs[24]).unwrap());
    assert_eq!(position(&slugs[1]), None);
    let older = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let second = get(&running, older).await.text().await.unwrap();
    assert!(second.contains(&format!("{index}/{}\"", slugs[0])) && !second.contains("rel=\"next\""));
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_not_published_has_no_page() {
    let running = server::start(Settings::demo()).await.unwrap();
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let website = WebsiteSettings {
        name: "A <b>bold</b> name".to_owned(),
        url: "https://bold.example".to_owned(),
        auto_publish: false,
        ..WebsiteSettings::default()
    };
    let website_id = running.app().create_website(&account, website, WebsiteStatus::Active).await.unwrap().website_id;
    let order = json!({ "topic": "A draft", "website_id": website_id });
    let job_id = api(&running, "/api/v1/generate", Some(order)).await["job_id"].as_str().unwrap().to_owned();
    while api(&running, &format!("/api/v1/jobs/{job_id}"), None).await["done"] != true {}
    let draft = api(&running, &format!("/api/v1/articles/{job_id}"), None).await;
    let path = format!("/sites/{website_id}/{}", draft["slug"].as_str().unwrap());
    for path in
        [path.as_str(), "/sites/web_nothing", "/sites/web_nothing/x", &format!("/sites/{website_id}?page=forged")]
    {
        let response = get(&running, path).await;
        assert_eq!(response.status(), 404, "{path}");
        assert!(response.text().await.unwrap().contains("Page not found"));
    }
    let index = get(&running, &format!("/sites/{website_id}")).await.text().await.unwrap();
    assert!(index.contains("A &#60;b&#62;bold&#60;/b&#62; name"), "{index}");
    assert!(running.stop().await);
}
