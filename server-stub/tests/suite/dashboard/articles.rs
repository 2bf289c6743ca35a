//! Articles: found, previewed, read in full, edited, downloaded and archived.

use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::Method;
use serde_json::Value;

use super::browser::{Browser, Page};
use super::pipeline::queue;
use super::steps;

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
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&body["status"], &body["url"], &body["published_at"]), (&"archived".into(), &().into(), &().into()));

    let restored = browser.submit(&archived, &format!("{path}/restore"), &[]).await;
    restored.expect("The article is a draft again").expect(">draft<");
    browser.submit(&restored, &format!("{path}/restore"), &[]).await.expect("This is not possible now");
    assert!(running.stop().await);
}

/// Returns the fields of the form on the page that edits an article, with their contents.
fn fields(page: &Page) -> Vec<(String, String)> {
    let pattern =
        r#"<textarea id="([a-z_0-9]+)"[^>]*>\n([^<]*)</textarea>|<input id="([a-z_0-9]+)"[^>]*\bvalue="([^"]*)""#;
    let found: Vec<_> =
        regex::Regex::new(pattern).unwrap().captures_iter(&page.text).map(|found| found[0].to_owned()).collect();
    let part = |text: &str, pattern: &str| Page { text: text.to_owned(), ..page.clone() }.find(pattern);
    let field = |text: String| {
        let name = part(&text, r#"id="([a-z_0-9]+)""#).unwrap();
        let value = part(&text, r">\n([^<]*)</textarea>").or_else(|| part(&text, r#"\bvalue="([^"]*)""#)).unwrap();
        (name, value)
    };
    found.into_iter().map(field).collect()
}

/// Sends the form of a page that edits an article, with changed or further fields, as a browser does.
async fn send(browser: &Browser, page: &Page, path: &str, changes: &[(&str, &str)]) -> Page {
    let mut sent = fields(page);
    sent.push(("version".to_owned(), page.field("version")));
    sent.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    sent.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (name.clone(), value.replace('\n', "\r\n"))).collect();
    let sent: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.submit(page, path, &sent).await
}

/// Reads the article of a page through the API.
async fn read(browser: &Browser, running: &Running, path: &str) -> Value {
    let api = format!("/api/v1/articles/{}", path.rsplit('/').next().unwrap());
    let authorization = format!("Bearer {}", running.accounts()[0].api_key);
    let body = browser.once(Method::GET, &api, None, &[("authorization", &authorization)]).await.text;
    serde_json::from_str(&body).unwrap()
}

const BODY: &str = "## Feed it\n\nYou feed your starter **twice** a day. Read [more](https://a.example/rye).\n\n## Rest it\n\nIt rests.\n";

#[tokio::test]
async fn an_edited_article_is_a_new_version_on_its_page_in_its_feed_and_in_the_api() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    for when in ["approval", "now"] {
        let page = written(&browser, &running, "Keeping rye fresh", when).await;
        let (path, edit) = (page.address.clone(), format!("{}/edit", page.address));
        let before = read(&browser, &running, &path).await;
        page.expect(&format!("href=\"{edit}\""));
        let form = browser.get(&edit).await;
        form.expect("Check and preview").expect("srcdoc=\"&#60;!doctype html&#62;").expect("Rules");
        // Saving the unchanged form changes nothing.
        send(&browser, &form, &edit, &[]).await.expect("Nothing was changed");
        assert_eq!(read(&browser, &running, &path).await, before);
        // A check changes nothing, and shows the outcome beside what was typed.
        let changes = [
            ("title", "  Rye & <winter>  "),
            ("excerpt", "Short."),
            ("content_markdown", BODY),
            ("tags", "baking\n\n winter "),
            ("question_1", "Why rye?"),
            ("answer_1", "It keeps."),
            ("question_2", ""),
            ("answer_2", ""),
            ("question_3", ""),
            ("answer_3", ""),
            ("image_url", "https://a.example/rye.jpg"),
            ("image_alt", "A rye starter"),
        ];
        let checked = send(&browser, &form, &edit, &[&changes[..], &[("check", "on")]].concat()).await;
        checked.expect("The article breaks some rules").expect("Rye &#38; &#60;winter&#62;");
        assert_eq!(
            fields(&checked).into_iter().find(|(name, _)| name == "content_markdown").unwrap().1.replace("\r\n", "\n"),
            BODY
        );
        let fragment = send(&browser, &form, &format!("{path}/check"), &changes).await;
        fragment.expect("The article breaks some rules").expect_not("<html lang=\"en\"");
        assert_eq!(read(&browser, &running, &path).await, before);
        // Saving makes the next version, and everything follows from the new text.
        send(&browser, &form, &edit, &changes).await.expect("Version 2 is saved");
        let after = read(&browser, &running, &path).await;
        for (name, value) in [
            ("version", Value::from(2)),
            ("title", "Rye & <winter>".into()),
            ("excerpt", "Short.".into()),
            ("content_markdown", BODY.into()),
            ("tags", vec!["baking", "winter"].into()),
            ("faq", serde_json::json!([{ "question": "Why rye?", "answer": "It keeps." }])),
            ("word_count", 15.into()),
            ("reading_time_minutes", 1.into()),
            ("hero_image", serde_json::json!({ "url": "https://a.example/rye.jpg", "alt": "A rye starter" })),
        ] {
            assert_eq!(after[name], value, "{name}");
        }
        for name in [
            "id",
            "job_id",
            "slug",
            "url",
            "canonical_url",
            "status",
            "topic",
            "created_at",
            "published_at",
            "generator",
        ] {
            assert_eq!(after[name], before[name], "{name}");
        }
        assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
        let html = after["content_html"].as_str().unwrap();
        assert!(html.contains("<h2 id=\"feed-it\">") && html.contains("<strong>twice</strong>"), "{html}");
        let anchors: Vec<_> = after["outline"].as_array().unwrap().iter().map(|entry| &entry["anchor"]).collect();
        assert_eq!(anchors, ["feed-it", "rest-it"]);
        assert_eq!(after["json_ld"]["@graph"][0]["headline"], "Rye & <winter>");
        assert_eq!(after["json_ld"]["@graph"][1]["mainEntity"][0]["name"], "Why rye?");
        assert_eq!(after["voice"]["passed"], false);
        if when == "now" {
            let site = format!("/sites/{}", running.accounts()[0].website_id);
            let page = browser.get(&format!("{site}/{}", after["slug"].as_str().unwrap())).await;
            page.expect("<h1>Rye &#38; &#60;winter&#62;</h1>").expect("<strong>twice</strong>").expect("Why rye?");
            browser.get(&format!("{site}/feed.xml")).await.expect("Rye &#38; &#60;winter&#62;").expect("Short.");
            browser.get(&format!("{site}/sitemap.xml")).await.expect(after["updated_at"].as_str().unwrap());
        }
        browser
            .get("/dashboard/account/audit")
            .await
            .expect("A user changed the text of an article")
            .expect("version 2 of Rye");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_wrong_in_an_edit_is_told_at_its_field_and_nothing_typed_is_lost() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let page = written(&browser, &running, "Keeping rye fresh", "approval").await;
    let (path, edit) = (page.address.clone(), format!("{}/edit", page.address));
    let before = read(&browser, &running, &path).await;
    let form = browser.get(&edit).await;
    let changes = [
        ("title", ""),
        ("meta_description", "Too short."),
        ("content_markdown", "## One\n\nA <b>bold</b> text"),
        ("keywords", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk"),
        ("question_1", "Why?"),
        ("answer_1", ""),
        ("question_3", ""),
        ("answer_3", "It has no question."),
        ("image_url", "http://a.example/rye.jpg"),
    ];
    let again = send(&browser, &form, &edit, &changes).await;
    assert_eq!(again.status, 422);
    for error in [
        "The title must have 1 to 110 characters.",
        "The description for search engines must have 50 to 160 characters.",
        "The text must have no HTML: use Markdown, or write &#38;lt; for &#60; (line 3).",
        "There can be at most 10 keywords.",
        "The answer to question 1 must have 1 to 2000 characters.",
        "The address of the picture must begin with https://",
    ] {
        again.expect(error);
    }
    again
        .expect("id=\"content_markdown-error\"")
        .expect("A &#60;b&#62;bold&#60;/b&#62; text")
        .expect("It has no question.");
    again.expect("value=\"http://a.example/rye.jpg\"").expect("Not checked yet");
    assert_eq!(read(&browser, &running, &path).await, before);
    // The corrected form is accepted.
    let title = before["title"].as_str().unwrap();
    let description = before["meta_description"].as_str().unwrap();
    let corrections = [
        ("title", title),
        ("meta_description", description),
        ("content_markdown", BODY),
        ("keywords", ""),
        ("question_1", ""),
        ("question_2", ""),
        ("question_3", ""),
        ("answer_1", ""),
        ("answer_2", ""),
        ("answer_3", ""),
        ("image_url", ""),
    ];
    send(&browser, &again, &edit, &corrections).await.expect("Version 2 is saved");
    let asked = browser.get(&format!("{path}/archive")).await;
    browser
        .submit(&asked, &format!("{path}/archive"), &[])
        .await
        .expect("The article is archived")
        .expect_not("/edit\"");
    browser.get(&edit).await.expect("The article is archived; make it a draft again first.");
    send(&browser, &form, &edit, &[("version", "2")]).await.expect("The article is archived");
    let stale = send(&browser, &form, &edit, &[("version", "")]).await;
    stale.expect("This form is out of date");
    assert!(running.stop().await);
}

#[tokio::test]
async fn an_old_article_is_edited_after_its_job_and_its_post_were_purged() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let page = written(&browser, &running, "Keeping rye fresh", "now").await;
    let (path, edit) = (page.address.clone(), format!("{}/edit", page.address));
    steps::database(&running).execute_batch("DELETE FROM scheduled_posts; DELETE FROM jobs").unwrap();
    let form = browser.get(&edit).await;
    send(&browser, &form, &edit, &[("title", "Rye, years later")]).await.expect("Version 2 is saved");
    assert_eq!(read(&browser, &running, &path).await["title"], "Rye, years later");
    let asked = browser.get(&format!("{path}/archive")).await;
    browser.submit(&asked, &format!("{path}/archive"), &[]).await.expect("The article is archived");
    assert!(running.stop().await);
}

#[tokio::test]
async fn two_users_who_edit_an_article_overwrite_each_other_only_on_purpose() {
    let running = server::start(Settings::demo()).await.unwrap();
    let (ada, bob) = (Browser::signed_in(&running, 0).await, Browser::new(running.base_url().unwrap()));
    bob.steal_cookies(&ada);
    let page = written(&ada, &running, "Keeping rye fresh", "now").await;
    let (path, edit) = (page.address.clone(), format!("{}/edit", page.address));
    let (hers, his) = (ada.get(&edit).await, bob.get(&edit).await);
    send(&ada, &hers, &edit, &[("title", "Her title")]).await.expect("Version 2 is saved");
    let conflict = send(&bob, &his, &edit, &[("title", "His title"), ("excerpt", "His excerpt.")]).await;
    assert_eq!(conflict.status, 422);
    conflict.expect("another user saved version 2 after you opened version 1").expect("His excerpt.");
    assert_eq!(conflict.field("title"), "His title");
    assert_eq!(read(&ada, &running, &path).await["title"], "Her title");
    // Sending the form again does not overwrite; the button does.
    send(&bob, &conflict, &edit, &[]).await.expect("another user saved version 2");
    let overwrite = conflict.find(r#"name="overwrite" value="(\d+)""#).unwrap();
    send(&bob, &conflict, &edit, &[("overwrite", &overwrite)]).await.expect("Version 3 is saved");
    let article = read(&ada, &running, &path).await;
    assert_eq!(
        (&article["title"], &article["excerpt"], &article["version"]),
        (&"His title".into(), &"His excerpt.".into(), &3.into())
    );
    assert!(running.stop().await);
}
