//! The pages that a reader's browser gets.

use std::sync::Arc;

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::server::{self, Server, Settings};
use serde_json::{Value, json};

use super::harness::{api, get, path_of, published, published_on, website};
use crate::plain_http;
use crate::writer::edited::EditedWriter;

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
    let address = article["canonical_url"].as_str().unwrap();
    assert!(html.contains(&format!("<meta property=\"og:url\" content=\"{address}\">")));
    let index = format!("/sites/{}", article["website_id"].as_str().unwrap());
    let feed = format!("title=\"{}\" href=\"{index}/feed.xml\">", "Harbour Bakery");
    assert!(html.contains(&format!("<link rel=\"alternate\" type=\"application/rss+xml\" {feed}")), "{html}");
    assert!(html.contains(&format!("action=\"/capture/{}\"", article["website_id"].as_str().unwrap())));
    assert!(html.contains(&format!("name=\"article_id\" value=\"{}\"", article["id"].as_str().unwrap())));
    for address in ["/assets/site.css", "/assets/lead-form.js"] {
        assert!(html.contains(address));
        assert_eq!(get(&running, address).await.status(), 200);
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_form_of_a_website_that_is_not_active_says_that_it_is_closed() {
    let running = server::start(Settings::demo()).await.unwrap();
    let article = published(&running, "How to keep a rye starter").await;
    let (path, website_id) = (path_of(&running, &article), article["website_id"].as_str().unwrap());
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let closed = "This form is closed: the website takes no messages at the moment.";
    for status in [WebsiteStatus::Paused, WebsiteStatus::Archived, WebsiteStatus::Active] {
        running.app().set_website_status(&account, website_id, status).await.unwrap();
        let html = get(&running, &path).await.text().await.unwrap();
        let is_closed = status != WebsiteStatus::Active;
        assert_eq!((html.contains(closed), html.contains("<form")), (is_closed, !is_closed), "{html}");
    }
    // The page was open when the website was paused.
    running.app().set_website_status(&account, website_id, WebsiteStatus::Paused).await.unwrap();
    let url = format!("{}/capture/{website_id}", running.base_url().unwrap());
    let sent = plain_http::client().post(url).header("accept", "text/html").body("email=a%40example.com");
    let refused = sent.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
    assert_eq!(refused.status(), 403);
    let page = refused.text().await.unwrap();
    assert!(page.contains("This form is closed") && !page.contains("dashboard"), "{page}");
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_form_shows_the_websites_consent_text_in_its_language_and_sends_what_it_shows() {
    let running = server::start(Settings::demo()).await.unwrap();
    let built_in = get(&running, &path_of(&running, &published(&running, "Keeping bread").await)).await;
    let built_in = built_in.text().await.unwrap();
    assert!(built_in.contains("<span>You may use my address to answer me.</span>"), "{built_in}");
    assert!(!built_in.contains("How your particulars are handled"));
    let text = "\u{5de}\u{5d5}\u{5ea}\u{5e8} <b>&\" to write";
    let lead_form = LeadForm {
        consent_text: Some(text.to_owned()),
        privacy_url: Some("https://a.example/p?a=1&b".to_owned()),
        ..LeadForm::default()
    };
    let settings = WebsiteSettings { lead_form, language: "he".to_owned(), ..WebsiteSettings::default() };
    let website_id = website(&running, "Bakery", settings).await;
    let order =
        json!({ "topic": "Keeping bread", "website_id": website_id, "language": "en", "target_word_count": 200 });
    let article = published_on(&running, &order).await;
    let html = get(&running, &path_of(&running, &article)).await.text().await.unwrap();
    let shown = "\u{5de}\u{5d5}\u{5ea}\u{5e8} &#60;b&#62;&#38;&#34; to write";
    assert!(html.contains(&format!("<span lang=\"he\" dir=\"rtl\">{shown}</span>")), "{html}");
    assert!(html.contains(&format!("name=\"consent_text\" value=\"{shown}\"")), "{html}");
    assert!(html.contains("<a href=\"https://a.example/p?a=1&#38;b\">How your particulars are handled</a>"), "{html}");
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
    // The address of a later page is not permanent, so search engines must not index it, but should follow its links.
    let noindex = "<meta name=\"robots\" content=\"noindex, follow\">";
    assert!(second.contains(noindex) && !second.contains("rel=\"canonical\""));
    let canonical = format!("<link rel=\"canonical\" href=\"{}{index}\">", running.base_url().unwrap());
    assert!(!first.contains(noindex) && first.contains(&canonical));
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_not_published_has_no_page() {
    let running = server::start(Settings::demo()).await.unwrap();
    let settings = WebsiteSettings { auto_publish: false, ..WebsiteSettings::default() };
    let website_id = website(&running, "A <b>bold</b> name", settings).await;
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

/// Returns the nodes of the structured data on a page, by type.
fn structured_data(html: &str) -> Vec<Value> {
    let text = html.split("<script type=\"application/ld+json\">").nth(1).unwrap().split("</script>").next().unwrap();
    let document: Value = serde_json::from_str(text).unwrap();
    assert_eq!(document["@context"], "https://schema.org");
    document["@graph"].as_array().unwrap().clone()
}

#[tokio::test]
async fn structured_data_tells_all_of_an_article_and_its_questions() {
    let running = server::start(Settings::demo()).await.unwrap();
    let article = published(&running, "Is </script><script>alert(1)</script> a bread?").await;
    let html = get(&running, &path_of(&running, &article)).await.text().await.unwrap();
    let nodes = structured_data(&html);
    let [posting, questions] = &nodes[..] else { panic!("{nodes:?}") };
    assert_eq!(posting["@type"], "BlogPosting");
    for (name, value) in article["json_ld"]["@graph"][0].as_object().unwrap() {
        assert_eq!(&posting[name], value, "{name}");
    }
    assert_eq!(posting["headline"], article["title"]);
    assert!(posting["headline"].as_str().unwrap().chars().count() <= 110);
    assert_eq!(posting["url"], article["canonical_url"]);
    assert_eq!(posting["mainEntityOfPage"], json!({ "@type": "WebPage", "@id": article["canonical_url"] }));
    assert_eq!(posting["datePublished"], article["published_at"]);
    assert_eq!(posting["dateModified"], article["updated_at"]);
    for name in ["author", "publisher"] {
        assert_eq!(posting[name]["@type"], "Organization", "{name}");
        assert!(posting[name]["name"].is_string() && posting[name]["url"].is_string(), "{name}");
    }
    assert_eq!(questions["@type"], "FAQPage");
    let faq = article["faq"].as_array().unwrap();
    assert!(!faq.is_empty());
    let expected: Vec<_> = faq
        .iter()
        .map(|entry| {
            json!({ "@type": "Question", "name": entry["question"],
                    "acceptedAnswer": { "@type": "Answer", "text": entry["answer"] } })
        })
        .collect();
    assert_eq!(questions["mainEntity"], Value::Array(expected));
    // The structured data for search engines must also be visible on the page.
    assert_eq!(html.matches("<details>").count(), faq.len());
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_page_is_written_in_the_direction_of_its_language() {
    // The text is English whatever the requested language. A real writer may not do that, but the pages use only the language tag.
    let writer = EditedWriter { order: |brief| brief.language = "en".to_owned(), draft: |_, _| {} };
    let server = Server::builder().settings(Settings::demo()).generator(Arc::new(writer));
    let running = server.start().await.unwrap();
    let settings = WebsiteSettings { language: "he-IL".to_owned(), ..WebsiteSettings::default() };
    let website_id = website(&running, "Bread", settings).await;
    let article = published_on(&running, &json!({ "topic": "Rye bread", "website_id": website_id })).await;
    for path in [format!("/sites/{website_id}"), path_of(&running, &article)] {
        let html = get(&running, &path).await.text().await.unwrap();
        assert!(html.contains("<html lang=\"he-IL\" dir=\"rtl\">"), "{html}");
        assert!(html.contains("<meta property=\"og:locale\" content=\"he_IL\">"));
        // The page's own labels are English in every language.
        assert!(html.contains("<a href=\"/sites/") && html.contains(" lang=\"en\" dir=\"ltr\">RSS feed</a>"), "{html}");
    }
    assert!(running.stop().await);
}
