//! An account cannot see records of another account on any route.

use contentgen_server_stub::app::NewArticle;
use contentgen_server_stub::dashboard::{self, Access, RouteKind};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::server::{self, Running, Settings};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::json;

use super::browser::Browser;
use super::steps;
use crate::waiting::until_ok;

/// Ids of the second account for the parameters of paths.
async fn foreign_ids(running: &Running, other: &Browser) -> Vec<(&'static str, String)> {
    let account = &running.accounts()[1];
    steps::capture(running, 1, &json!({ "email": "walker@example.com", "name": "Foreign Walker" })).await;
    let url = "http://127.0.0.1:9/trail-workshop";
    let (hook_id, _) = running.create_hook(&account.name, url, &[]).await.unwrap();
    let owner = running.app().account(&account.name).await.unwrap();
    let delivery_id = running.app().send_test(&owner, &hook_id).await.unwrap();
    let user = running.app().user(&owner, &account.email).await.unwrap();
    // The account has a second session that can be ended.
    let sessions = other.get("/dashboard/account/sessions").await;
    let voices = other.get("/dashboard/voices").await;
    let (post_id, article_id) = foreign_article(running).await;
    let keys = running.app().keys(&owner).await.unwrap();
    let live_key = keys.iter().find(|key| key.revoked_at.is_none()).unwrap();
    vec![
        ("website_id", account.website_id.clone()),
        ("post_id", post_id),
        ("article_id", article_id),
        ("lead_id", steps::newest_lead(running, 1).await),
        ("hook_id", hook_id),
        ("delivery_id", delivery_id),
        ("key_id", live_key.id.clone()),
        ("user_id", user.id),
        ("session_id", sessions.find("(session_[0-9a-f]{32})").unwrap()),
        ("voice_id", voices.find("/dashboard/voices/(voice_[^\"/]+)\"").unwrap()),
    ]
}

/// Returns an article of the second account that waits for approval, and its post.
async fn foreign_article(running: &Running) -> (String, String) {
    let (app, account) = (running.app(), &running.accounts()[1]);
    let account_id = app.account(&account.name).await.unwrap().id;
    let visibility = Visibility { account_id, website_ids: None };
    let wanted =
        NewArticle { website_id: account.website_id.clone(), topic: "A trail".to_owned(), ..NewArticle::default() };
    let post_id = app.queue_article(&visibility, &wanted, None).await.unwrap();
    let article_id = until_ok("the article is written", async || {
        app.pipeline_entry(&visibility, &post_id)
            .await
            .unwrap()
            .article
            .map(|article| article.id)
            .ok_or("there is none")
    })
    .await;
    (post_id, article_id)
}

fn filled(path: &str, ids: &[(&'static str, String)]) -> String {
    let part = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
        Some(name) => {
            let id = ids.iter().find(|(known, _)| *known == name);
            id.unwrap_or_else(|| panic!("say in `foreign_ids` what `{name}` is for the second account")).1.clone()
        }
        None => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[test]
fn no_route_shows_or_changes_anything_of_another_account() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let settings = Settings::demo();
    let (running, browser, other, ids, names) = runtime.block_on(async {
        let running = server::start(settings).await.unwrap();
        let browser = Browser::signed_in(&running, 0).await;
        let other = Browser::signed_in(&running, 1).await;
        let ids = foreign_ids(&running, &other).await;
        let names = ["Trail Workshop", "trail-workshop", "walker@example.com", "Workshop bench"].map(str::to_owned);
        let names = [names.to_vec(), vec![running.accounts()[1].email.to_string()]].concat();
        (running, browser, other, ids, names)
    });
    let routes: Vec<_> = dashboard::routes().into_iter().filter(|route| route.access != Access::Anyone).collect();
    // Signing out would end the test's session.
    let routes: Vec<_> = routes.into_iter().filter(|route| !route.path.ends_with("/sign-out")).collect();
    let field = prop_oneof![
        Just("status"),
        Just("name"),
        Just("search"),
        Just("url"),
        Just("website_id"),
        Just("language"),
        Just("page"),
        Just("website"),
        Just("article"),
        Just("from"),
        Just("until"),
        Just("endpoint"),
        Just("state"),
        Just("action"),
        Just("overlap"),
        Just("event"),
        Just("hours"),
        Just("visibility"),
        Just("websites"),
        Just("key_id"),
        Just("actor"),
        Just("when"),
        Just("publish_at"),
        Just("topic"),
        Just("version"),
        Just("overwrite"),
        Just("brand_voice_id"),
        Just("trial_text"),
        Just("check"),
        Just("to"),
    ];
    let value = prop_oneof![
        Just("archived".to_owned()),
        Just("active".to_owned()),
        Just("https://example.com".to_owned()),
        Just("en".to_owned()),
        Just("not_delivered".to_owned()),
        Just("reveal".to_owned()),
        Just("24".to_owned()),
        Just("now".to_owned()),
        prop::sample::select(ids.iter().map(|(_, id)| id.clone()).collect::<Vec<_>>()),
        ".{0,8}",
    ];
    let fields = prop::collection::vec((field, value), 0..6);
    let cases = (prop::sample::select(routes), fields);
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&cases, |(route, fields)| {
        runtime.block_on(async {
            let path = filled(route.path, &ids);
            let csrf = browser.get("/dashboard").await.field("csrf");
            let mut pairs: Vec<(&str, &str)> = vec![("csrf", &csrf)];
            pairs.extend(fields.iter().map(|(name, value)| (*name, value.as_str())));
            let page = match route.kind {
                RouteKind::Page => browser.once(Method::GET, &path, None, &[]).await,
                RouteKind::Form => browser.once(Method::POST, &path, Some(&pairs), &[]).await,
            };
            let is_foreign = route.path.contains('{');
            prop_assert!(!is_foreign || page.status == 404, "{:?} answers {}", route, page.status);
            for name in &names {
                prop_assert!(!page.text.contains(name.as_str()), "{:?} shows {}", route, name);
            }
            Ok(())
        })
    });
    outcome.unwrap();
    runtime.block_on(async {
        other.get("/dashboard/websites").await.expect("Trail Workshop").expect("active");
        other.get("/dashboard/leads").await.expect("walker@example.com");
        let keys = other.get("/dashboard/keys").await;
        keys.expect("small quota");
        assert_eq!(keys.text.matches("revoked</span>").count(), 1, "the demonstration has a revoked one");
        other.get("/dashboard/voices").await.expect("Workshop bench").expect("Default");
        assert!(running.stop().await);
    });
}
