//! `websites`.

use super::program::{at, run};
use super::server::demonstration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_websites_of_the_key_are_listed() {
    let server = demonstration().await;
    let website_id = &server.accounts()[0].website_id;
    let people = run(at(&server, &["websites"])).await.well();
    let row = people.output.lines().skip(1).find(|line| line.starts_with(website_id.as_str()));
    assert!(row.is_some_and(|row| row.contains(" active ")), "{people:?}");
    assert!(people.error.starts_with("websites: "), "{people:?}");
    assert_eq!(run(at(&server, &["websites", "list"])).await.well().output, people.output);
    let program = run(at(&server, &["websites", "--json"])).await.well();
    let rows = program.json_lines();
    assert!(rows.iter().any(|row| row["website_id"] == website_id.as_str() && row["status"] == "active"), "{rows:?}");
    server.stop().await;
}
