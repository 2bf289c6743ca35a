//! The samples that `serve --demo` begins with.

use contentgen_server_stub::dashboard::{self, RouteKind};
use reqwest::Url;
use tempfile::TempDir;

use super::browser::Browser;
use crate::command_line::program::Server;

/// Returns a browser of the user of an account.
async fn signed_in(server: &Server, account: usize) -> Browser {
    let browser = Browser::new(server.ready["base_url"].as_str().unwrap());
    let link = Url::parse(server.ready["accounts"][account]["sign_in_url"].as_str().unwrap()).unwrap();
    let page = browser.get(link.path()).await;
    browser.submit(&page, link.path(), &[]).await.expect("Overview");
    browser
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demonstration_begins_with_something_on_every_list() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &["--demo"]);
    let browser = signed_in(&server, 0).await;
    for state in [">failed</span>", ">succeeded</span>"] {
        browser.wait_for("/dashboard/hooks/deliveries", state).await;
    }
    browser.get("/dashboard/hooks").await.expect("/gone</a>").expect(">disabled</span>").expect(">healthy</span>");
    let pages = dashboard::routes().into_iter().filter(|route| route.kind == RouteKind::Page);
    let lists: Vec<_> = pages.map(|route| route.path).filter(|path| !path.contains('{')).collect();
    assert!(lists.len() > 10);
    for path in lists.iter().filter(|path| !path.ends_with("/redeliver")) {
        let page = browser.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        page.expect_not("class=\"empty\"");
    }
    let board = browser.get("/dashboard/pipeline?cancelled=on").await;
    for topic in [
        "How to store bread so that it stays fresh",
        "Planning a weekend of baking",
        "What to ask before buying a stand mixer",
        "Baking bread in a small oven",
        "Synergy",
    ] {
        board.expect(topic);
    }
    let articles = browser.get("/dashboard/articles").await;
    articles.expect(">published</span>").expect(">scheduled</span>").expect(">draft</span>").expect(">archived</span>");
    browser.get("/dashboard/leads").await.expect("Ada Example").expect("unconfirmed");
    let other = signed_in(&server, 1).await;
    other.get("/dashboard/articles").await.expect("No articles yet");
    assert_eq!(server.stop("-TERM"), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demonstration_on_a_named_database_begins_without_samples() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &["--demo", "--database", "sqlite:own.db"]);
    signed_in(&server, 0).await.get("/dashboard/articles").await.expect("No articles yet");
    assert_eq!(server.stop("-TERM"), Some(0));
}
