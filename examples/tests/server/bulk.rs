//! Tests `bulk`: many topics from a file, with a kill in the middle.

use std::path::Path;
use std::process::{Command, Stdio};

use contentgen_sdk::Client;
use contentgen_server_stub::server::{self, Database, Running, Settings};

use super::command::{output, program, text};
use super::until::until;
use super::{base_url, full_client};

const TOPICS: &str = "Leeks\nChard\n\nKale\nLeeks\nBeans\nPeas\nOkra\n";

fn bulk(server: &Running, folder: &Path) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_bulk"));
    let account = &server.accounts()[0];
    command.env("CONTENTGEN_BASE_URL", base_url(server)).env("CONTENTGEN_API_KEY", &account.api_key);
    command.arg(folder.join("topics.txt")).arg("--concurrency").arg("2");
    command
}

/// Returns the topics in the pipeline, in alphabetical order.
async fn queued(client: &Client) -> Vec<String> {
    let mut posts = client.list_scheduled_posts().items();
    let mut topics = Vec::new();
    while let Some(post) = posts.next().await {
        topics.push(post.expect("the pipeline can be read").topic);
    }
    topics.sort();
    topics
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_run_continues_and_queues_no_topic_twice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("topics.txt"), TOPICS).unwrap();
    let journal = folder.path().join("topics.txt.journal");
    let database = Database::At(format!("sqlite:{}", folder.path().join("server.db").display()));
    let settings = Settings { database, ..Settings::demo() };

    // Without a worker, the program waits for its first two articles until it is killed.
    let idle = server::start(Settings { is_worker: false, ..settings.clone() }).await.unwrap();
    let mut first = bulk(&idle, folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let notes = || std::fs::read_to_string(&journal).unwrap_or_default();
    until("two articles are queued", async || notes().lines().count() >= 2).await;
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(notes().matches("queued").count(), 2, "{}", notes());
    assert_eq!(queued(&full_client(&idle)).await, ["Chard", "Leeks"]);
    idle.stop().await;

    let server = server::start(settings).await.unwrap();
    let client = full_client(&server);
    let second = output(bulk(&server, folder.path())).await;
    assert!(second.status.success(), "{}", text(&second.stderr));
    assert_eq!(text(&second.stdout), "7 articles, 7 of them written now\n");
    let expected = ["Beans", "Chard", "Kale", "Leeks", "Leeks", "Okra", "Peas"];
    assert_eq!(queued(&client).await, expected);
    let third = output(bulk(&server, folder.path())).await;
    assert_eq!(text(&third.stdout), "7 articles, 0 of them written now\n");
    // Without its journal, the program repeats the requests, and the server recognises the keys.
    std::fs::remove_file(&journal).unwrap();
    let fourth = output(bulk(&server, folder.path())).await;
    assert_eq!(text(&fourth.stdout), "7 articles, 7 of them written now\n");
    assert_eq!(queued(&client).await, expected);
    server.stop().await;
}
