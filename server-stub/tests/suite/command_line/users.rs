//! `user create` and `user link`.

use tempfile::TempDir;

use super::program::{Server, assert_fails, run, value};

#[test]
fn the_first_user_is_made_by_a_command_and_signs_in_with_the_link_that_it_prints() {
    let folder = TempDir::new().unwrap();
    let database = ["--database", "sqlite:server.db"];
    let server = Server::start(folder.path(), &database);
    let base_url = server.ready["base_url"].as_str().unwrap().to_owned();
    let command = |arguments: &[&str]| run(folder.path(), &[arguments, &database].concat());
    assert_fails(
        &command(&["user", "create", "--account", "bakery", "--email", "ada@example.com"]),
        2,
        "account create",
    );
    command(&["account", "create", "--name", "bakery"]);
    for email in ["ada", "ada@", "a da@example.com"] {
        assert_fails(&command(&["user", "create", "--account", "bakery", "--email", email]), 2, "name@example.com");
    }
    let made =
        command(&["user", "create", "--account", "bakery", "--email", "Ada@Example.com", "--public-url", &base_url]);
    assert!(value(&made, "user").starts_with("user_"));
    assert_eq!(value(&made, "email"), "ada@example.com");
    let again = command(&["user", "create", "--account", "bakery", "--email", "ada@example.com"]);
    assert_fails(&again, 2, "exists");
    let link =
        command(&["user", "link", "--account", "bakery", "--email", "ADA@example.com", "--public-url", &base_url]);
    assert_fails(&command(&["user", "link", "--account", "bakery", "--email", "bob@example.com"]), 2, "no such user");
    let [former, newest] = [made, link].map(|output| {
        let url = value(&output, "sign_in_url").clone();
        let path = url.strip_prefix(&base_url).unwrap().to_owned();
        assert!(path.starts_with("/dashboard/sign-in/"), "{url}");
        path
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let browser = crate::dashboard::browser::Browser::new(&base_url);
        browser.get(&former).await.expect("This link was used before, or it has expired");
        let page = browser.get(&newest).await;
        page.expect("ada@example.com");
        browser.submit(&page, &newest, &[]).await.expect("Overview").expect("You have no password yet");
    });
    assert_eq!(server.stop("-TERM"), Some(0));
}
