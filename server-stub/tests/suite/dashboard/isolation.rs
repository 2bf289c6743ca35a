//! No account sees anything of another one, on any route.

use contentgen_server_stub::dashboard::{self, Access, Method as Kind};
use contentgen_server_stub::server::{self, Running, Settings};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;

use super::browser::Browser;

/// What stands for a parameter of a path, of the second account.
async fn foreign_ids(running: &Running, other: &Browser) -> Vec<(&'static str, String)> {
    let account = &running.accounts()[1];
    let voices = other.get("/dashboard/voices").await;
    let voice_id = voices.find("/dashboard/voices/(voice_[^\"/]+)\"").unwrap();
    vec![("website_id", account.website_id.clone()), ("voice_id", voice_id)]
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
    let settings = Settings { is_worker: false, ..Settings::demo() };
    let (running, browser, other, ids, names) = runtime.block_on(async {
        let running = server::start(settings).await.unwrap();
        let browser = Browser::signed_in(&running, 0).await;
        let other = Browser::signed_in(&running, 1).await;
        let ids = foreign_ids(&running, &other).await;
        let email = running.accounts()[1].email.clone();
        let names = ["Trail Workshop".to_owned(), "trail-workshop".to_owned(), "Workshop bench".to_owned(), email];
        (running, browser, other, ids, names)
    });
    let routes: Vec<_> = dashboard::routes().into_iter().filter(|route| route.access == Access::SignedIn).collect();
    // Signing out would end the walk.
    let routes: Vec<_> = routes.into_iter().filter(|route| !route.path.ends_with("/sign-out")).collect();
    let field = prop_oneof![
        Just("status"),
        Just("name"),
        Just("search"),
        Just("url"),
        Just("website_id"),
        Just("language"),
        Just("page"),
        Just("version"),
        Just("overwrite"),
        Just("brand_voice_id"),
        Just("trial_text"),
        Just("check"),
        Just("from"),
        Just("to"),
    ];
    let value = prop_oneof![
        Just("archived".to_owned()),
        Just("active".to_owned()),
        Just("https://example.com".to_owned()),
        Just("en".to_owned()),
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
            let page = match route.method {
                Kind::Get => browser.once(Method::GET, &path, None, &[]).await,
                Kind::Post => browser.once(Method::POST, &path, Some(&pairs), &[]).await,
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
        other.get("/dashboard/voices").await.expect("Workshop bench").expect("Default");
        assert!(running.stop().await);
    });
}
