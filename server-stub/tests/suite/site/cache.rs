//! Pages from memory, and the limit for readers of one address.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::server::{Database, Running, Server, Settings};
use serde_json::json;

use super::harness::{get, http, on_each_database, published_on};
use crate::moved_clock::MovedClock;

/// Changes the title of all articles without telling the time of the change, and so unnoticed.
const UNNOTICED: &str =
    "UPDATE articles SET summary = replace(summary, 'Rye', 'Wheat'), body = replace(body, 'Rye', 'Wheat')";

async fn titles(running: &Running, paths: &[String]) -> Vec<bool> {
    let mut titles = Vec::new();
    for path in paths {
        let text = get(running, path).await.text().await.unwrap();
        assert!(text.contains("Rye") || text.contains("Wheat"), "{path}: {text}");
        titles.push(text.contains("Rye"));
    }
    titles
}

#[tokio::test]
async fn a_page_is_rendered_once_until_its_website_changes() {
    for (settings, schema) in on_each_database() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("server.db");
        let database = match &schema {
            Some(_) => settings.database.clone(),
            None => Database::At(format!("sqlite:{}", file.display())),
        };
        let clock = Arc::new(MovedClock::running());
        let server = Server::builder().settings(Settings { database, ..settings });
        let running = server.clock(Arc::clone(&clock) as Arc<dyn Clock>).start().await.unwrap();
        let execute = |sql: &str| match &schema {
            Some(schema) => schema.execute(sql),
            None => {
                rusqlite::Connection::open(&file).unwrap().execute(sql, []).unwrap();
            }
        };
        let website_id = running.accounts()[0].website_id.clone();
        let order = |topic| json!({ "topic": topic, "website_id": website_id, "target_word_count": 200 });
        let article = published_on(&running, &order("Rye bread")).await;
        let index = format!("/sites/{website_id}");
        let page = format!("{index}/{}", article["slug"].as_str().unwrap());
        let paths = [index.clone(), page, format!("{index}/feed.xml")];
        assert_eq!(titles(&running, &paths).await, [true; 3]);
        // Just after a change, pages are not kept: another change may have the same time.
        execute(UNNOTICED);
        assert_eq!(titles(&running, &paths).await, [false; 3]);
        clock.advance(Duration::from_secs(10));
        assert_eq!(titles(&running, &paths).await, [false; 3]);
        execute(&UNNOTICED.replace("Wheat", "Oat").replace("Rye", "Wheat").replace("Oat", "Rye"));
        assert_eq!(titles(&running, &paths).await, [false; 3], "the pages come from memory");
        clock.advance(Duration::from_mins(1));
        assert_eq!(titles(&running, &paths).await, [true; 3], "for a minute");
        // Another article, and a change of the website by another process.
        execute(UNNOTICED);
        assert_eq!(titles(&running, &paths).await, [true; 3]);
        published_on(&running, &order("Spelt bread")).await;
        assert_eq!(titles(&running, &paths).await, [false; 3]);
        clock.advance(Duration::from_secs(10));
        assert_eq!(titles(&running, &paths).await, [false; 3]);
        execute(&UNNOTICED.replace("Wheat", "Oat").replace("Rye", "Wheat").replace("Oat", "Rye"));
        assert_eq!(titles(&running, &paths).await, [false; 3]);
        let now = clock.wall().millis();
        execute(&format!("UPDATE websites SET name = 'Mill', updated_at = {now} WHERE id = '{website_id}'"));
        assert_eq!(titles(&running, &paths).await, [true; 3]);
        assert!(get(&running, &index).await.text().await.unwrap().contains("<title>Mill</title>"));
        // An article that is taken down has no page from that moment on.
        clock.advance(Duration::from_secs(10));
        assert_eq!(titles(&running, &paths).await, [true; 3]);
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        let id = article["id"].as_str().unwrap();
        assert!(running.app().archive_article(&account.visibility(), id).await.unwrap());
        assert_eq!(get(&running, &paths[1]).await.status(), 404);
        for path in [&paths[0], &paths[2]] {
            assert!(!get(&running, path).await.text().await.unwrap().contains("Rye"), "{path}");
        }
        assert!(running.stop().await);
    }
}

#[tokio::test]
async fn readers_of_one_address_get_a_number_of_pages_a_minute() {
    let clock = Arc::new(MovedClock::stopped());
    let pages_quota = Quota { requests: 3, window_seconds: 60 };
    let trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    let settings = Settings { pages_quota, trusted_proxies, is_worker: false, ..Settings::demo() };
    let server = Server::builder().settings(settings).clock(Arc::clone(&clock) as Arc<dyn Clock>);
    let running = server.start().await.unwrap();
    let base = running.base_url().unwrap().to_owned();
    let send = async |address: &str, path: &str| {
        http().get(format!("{base}{path}")).header("x-forwarded-for", address).send().await.unwrap()
    };
    let index = format!("/sites/{}", running.accounts()[0].website_id);
    let paths = [index.clone(), format!("{index}/feed.xml"), format!("{index}/nothing")];
    for (path, status) in paths.iter().zip([200, 200, 404]) {
        assert_eq!(send("192.0.2.1", path).await.status(), status, "{path}");
    }
    for path in [index.clone(), format!("{index}/sitemap.xml"), format!("{index}?preview=x"), format!("{index}/a")] {
        let refused = send("192.0.2.1", &path).await;
        assert_eq!(refused.status(), 429, "{path}");
        assert_eq!(refused.headers()["retry-after"], "60");
        assert_eq!(refused.headers()["content-type"], "text/html; charset=utf-8");
        assert!(refused.text().await.unwrap().contains("<h1>Too many requests</h1>"));
    }
    // Other addresses, and what else this one asks for.
    assert_eq!(send("192.0.2.2", &index).await.status(), 200);
    for path in ["/assets/site.css", "/robots.txt", "/docs", "/healthz"] {
        assert_eq!(send("192.0.2.1", path).await.status(), 200, "{path}");
    }
    clock.advance(Duration::from_secs(59));
    assert_eq!(send("192.0.2.1", &index).await.headers()["retry-after"], "1");
    clock.advance(Duration::from_secs(1));
    assert_eq!(send("192.0.2.1", &index).await.status(), 200);
    assert!(running.stop().await);
}
