//! Articles: found, previewed, read in full, downloaded and archived.

use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::Method;

use super::browser::{Browser, Page};
use super::pipeline::queue;

/// Has an article written, and returns its page.
async fn written(browser: &Browser, running: &Running, topic: &str, when: &str) -> Page {
    let path = queue(browser, &running.accounts()[0].website_id, &[("topic", topic), ("when", when)]).await;
    let text = if when == "now" { "Read it at" } else { "Approve and publish now" };
    let entry = browser.wait_for(&path, text).await;
    browser.get(&entry.find(r#"href="(/dashboard/articles/art_[^"]+)""#).unwrap()).await
}

#[tokio::test]
async fn a_draft_is_previewed_as_its_readers_will_see_it_and_only_with_its_token() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    browser.get("/dashboard/articles").await.expect("No articles yet");
    let page = written(&browser, &running, "Keeping rye fresh", "approval").await;
    page.expect("<span class=\"badge warn\">draft</span>").expect("sandbox=\"allow-same-origin\"");
    let address = page.find(r#"<iframe class="preview" src="([^"]+)""#).unwrap();
    let (plain, token) = address.split_once("?preview=").unwrap();
    let reader = Browser::new(running.base_url().unwrap());
    let preview = reader.get(&address).await;
    assert_eq!(preview.status, 200);
    let header = |page: &Page, name: &str| page.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let policy = header(&preview, "content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'self'") && policy.contains("form-action 'none'"), "{policy}");
    assert!(!policy.contains("script-src"), "{policy}");
    assert_eq!(header(&preview, "x-robots-tag").as_deref(), Some("noindex"));
    assert_eq!(header(&preview, "cache-control").as_deref(), Some("no-store"));
    assert_eq!(header(&preview, "referrer-policy").as_deref(), Some("no-referrer"));
    preview.expect("The preview has no form").expect_not("<form").expect_not("lead-form.js");
    // The preview returns 404 without the token, with the token of a page, with a changed token, or at another address.
    assert_eq!(reader.get(plain).await.status, 404);
    for wrong in [String::new(), format!("{token}A"), "AAAA".to_owned(), token.to_lowercase()] {
        assert_eq!(reader.get(&format!("{plain}?preview={wrong}")).await.status, 404, "{wrong}");
    }
    let other = written(&browser, &running, "Another loaf", "now").await;
    let published = other.find(r#"<iframe class="preview" src="([^"]+)""#).unwrap();
    let (published, own_token) = published.split_once("?preview=").unwrap();
    assert_eq!(reader.get(&format!("{published}?preview={token}")).await.status, 404);
    // The published page has the ordinary headers. The preview may be framed.
    let policy = header(&reader.get(published).await, "content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    let framed = header(&reader.get(&format!("{published}?preview={own_token}")).await, "content-security-policy");
    assert!(framed.unwrap().contains("frame-ancestors 'self'"));
    assert!(running.stop().await);
}

#[tokio::test]
async fn an_article_is_found_read_in_all_parts_and_downloaded() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let page = written(&browser, &running, "Keeping rye <fresh> & good", "approval").await;
    let path = page.address.clone();
    browser.get(&format!("{path}/voice")).await.expect("Rules").expect(">kept<");
    let facts = browser.get(&format!("{path}/facts")).await;
    facts.expect("Keeping rye &#60;fresh&#62; &#38; good").expect("Outline").expect("The request had no metadata");
    browser.get(&format!("{path}/structured-data")).await.expect("&#34;@context&#34;: &#34;https://schema.org&#34;");
    browser.get(&format!("{path}/text")).await.expect("id=\"markdown\"");

    let title = page.find("<h1>([^<]+)</h1>").unwrap();
    for (extension, media_type, beginning) in [
        ("md", "text/markdown; charset=utf-8", format!("# {title}\n")),
        ("html", "text/html; charset=utf-8", "<!doctype html>".to_owned()),
    ] {
        let file = browser.get(&format!("{path}/download.{extension}")).await;
        assert_eq!(file.headers["content-type"], media_type);
        let disposition = file.headers["content-disposition"].to_str().unwrap();
        let pattern = regex::Regex::new(&format!(r#"^attachment; filename="[a-z0-9-]+\.{extension}"$"#)).unwrap();
        assert!(pattern.is_match(disposition), "{disposition}");
        assert!(file.text.starts_with(&beginning), "{}", file.text);
        file.expect_not("<fresh>").expect_not("<script");
    }

    let title = page.find("<h1>([^<]+)</h1>").unwrap();
    let word = title.split(' ').next().unwrap().to_uppercase();
    browser.get(&format!("/dashboard/articles?search={word}")).await.expect(&path).expect("draft");
    browser.get(&format!("/dashboard/articles?search={word}&status=published")).await.expect("No article matches");
    browser.get("/dashboard/articles?search=%25").await.expect("No article matches");
    let account = &running.accounts()[0];
    let elsewhere = format!("/dashboard/articles?website_id={}", account.inactive_website_id);
    browser.get(&elsewhere).await.expect("No article matches");
    browser.get(&format!("/dashboard/articles?website_id={}", account.website_id)).await.expect(&path);
    assert_eq!(browser.get("/dashboard/articles?page=forged").await.status, 404);
    assert!(running.stop().await);
}

#[tokio::test]
async fn an_archived_article_leaves_the_hosted_site_and_can_be_a_draft_again() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let page = written(&browser, &running, "Keeping rye fresh", "now").await;
    let (path, public) = (page.address.clone(), page.find(r#"src="(/sites/[^"?]+)\?"#).unwrap());
    assert_eq!(browser.get(&public).await.status, 200);
    let asked = browser.get(&format!("{path}/archive")).await;
    asked.expect("taken down from the hosted site").expect("Keep it");
    assert_eq!(browser.get(&public).await.status, 200, "asking changes nothing");
    let archived = browser.submit(&asked, &format!("{path}/archive"), &[]).await;
    archived.expect("The article is archived").expect(">archived<");
    assert_eq!(browser.get(&public).await.status, 404);
    browser.submit(&asked, &format!("{path}/archive"), &[]).await.expect("This is not possible now");
    browser.get(&format!("{path}/archive")).await.expect("This is not possible now");

    let api = format!("/api/v1/articles/{}", path.rsplit('/').next().unwrap());
    let authorization = format!("Bearer {}", running.accounts()[0].api_key);
    let body = browser.once(Method::GET, &api, None, &[("authorization", &authorization)]).await.text;
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&body["status"], &body["url"], &body["published_at"]), (&"archived".into(), &().into(), &().into()));

    let restored = browser.submit(&archived, &format!("{path}/restore"), &[]).await;
    restored.expect("The article is a draft again").expect(">draft<");
    browser.submit(&restored, &format!("{path}/restore"), &[]).await.expect("This is not possible now");
    assert!(running.stop().await);
}
