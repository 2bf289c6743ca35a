//! `websites`.

use super::program::{at, run};
use super::server::demonstration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_websites_of_the_key_are_listed() {
    let server = demonstration().await;
    let website_id = &server.accounts()[0].website_id;
    let people = run(at(&server, &["websites"])).await.well();
    assert!(people.output.lines().nth(1).unwrap().starts_with(website_id.as_str()), "{people:?}");
    assert_eq!(people.error, "");
    let program = run(at(&server, &["websites", "--json"])).await.well();
    assert_eq!(program.json_lines()[0]["website_id"], serde_json::json!(website_id));
    server.stop().await;
}
