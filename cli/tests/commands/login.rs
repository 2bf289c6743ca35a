//! `login`, and the profile that applies by default.

use std::path::Path;
use std::process::Command;

use super::program::{contentgen, fed, run};
use super::server::{base_url, demonstration};

fn with_config(path: &Path, words: &[&str]) -> Command {
    let mut command = contentgen(words);
    command.env("CONTENTGEN_CONFIG", path);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stored_server_needs_no_variables() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contentgen/config.toml");
    let url = base_url(&server);
    let words = ["login", "--base-url", &url, "--website-id", &account.website_id];
    let key = format!("{}\n", account.api_key);
    let stored = fed(with_config(&path, &words), &key).await.well();
    assert!(stored.error.contains("stored the profile default"), "{stored:?}");
    let config = std::fs::read_to_string(&path).unwrap();
    assert!(!config.contains(&account.api_key) && !stored.error.contains(&account.api_key), "{config}");
    run(with_config(&path, &["websites"])).await.well();
    let queued = run(with_config(&path, &["generate", "Leeks", "--json"])).await.well();
    assert_eq!(queued.json()["website_id"], account.website_id.as_str());
    // A variable applies instead of the default profile, never beside it.
    let mut other = with_config(&path, &["websites"]);
    other.env("CONTENTGEN_BASE_URL", &url);
    assert!(run(other).await.with(2).error.contains("CONTENTGEN_API_KEY"));
    // Again, and beside a profile that a person wrote.
    fed(with_config(&path, &words), &key).await.well();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), config);
    std::fs::write(&path, "# mine\n[profiles.a]\nbase_url = \"http://a\"").unwrap();
    let named = ["login", "--base-url", &url, "--profile", "staging", "--json"];
    let stored = fed(with_config(&path, &named), &key).await.well();
    let told: serde_json::Value = serde_json::from_str(&stored.error).unwrap();
    assert_eq!(told["stored"]["profile"], "staging");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("# mine\n[profiles.a]\nbase_url = \"http://a\"\n\n"));
    run(with_config(&path, &["websites", "--profile", "staging"])).await.well();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = told["stored"]["key_file"].as_str().unwrap();
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o077, 0, "a key is its owner's only");
    }
    let taken = fed(with_config(&path, &["login", "--base-url", &url, "--profile", "a"]), &key).await.with(2);
    assert!(taken.error.contains("another profile"), "{taken:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_without_profiles_gets_one_and_keeps_its_content() {
    let server = demonstration().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let (url, key) = (base_url(&server), format!("{}\n", server.accounts()[0].api_key));
    let words = ["login", "--base-url", &url];
    for old in ["", "# mine\n", "# mine\n[other]\nkey = 1 # stays", "[profiles]\n", "[profiles]\n\n[other]\n"] {
        std::fs::write(&path, old).unwrap();
        assert!(run(with_config(&path, &["websites"])).await.with(2).error.contains("contentgen login"), "{old:?}");
        fed(with_config(&path, &words), &key).await.well();
        let new = std::fs::read_to_string(&path).unwrap();
        assert!(new.starts_with(old) && new.contains("[profiles.default]\n"), "{old:?} became {new:?}");
        run(with_config(&path, &["websites"])).await.well();
    }
    // TOML does not allow additions to an inline table.
    let (inline, keys) = ("profiles = { a = { base_url = \"http://a\" } }\n", folder.path().join("keys"));
    std::fs::write(&path, inline).unwrap();
    std::fs::remove_dir_all(&keys).unwrap();
    let refused = fed(with_config(&path, &words), &key).await.with(2);
    assert!(refused.error.contains("[profiles.NAME]"), "{refused:?}");
    assert!(std::fs::read_to_string(&path).unwrap() == inline && !keys.exists(), "nothing was written");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_the_server_does_not_know_is_not_stored() {
    let server = demonstration().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let url = base_url(&server);
    let words = ["login", "--base-url", &url];
    let unknown = fed(with_config(&path, &words), "secret_of_nobody\n").await.with(6);
    assert!(!unknown.error.contains("secret_of_nobody"), "{unknown:?}");
    fed(with_config(&path, &words), "\n").await.with(2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // The server is checked before the key is read.
    assert!(fed(with_config(&path, &["login"]), "").await.with(2).error.contains("--base-url"));
    for (words, told) in [
        (&["login"][..], "--base-url"),
        (&["login", "--base-url", "http://a", "--profile", "a b"], "letters"),
        (&["login", "--ready-file", "a"], "--ready-file"),
    ] {
        let refused = fed(with_config(&path, words), "key\n").await.with(2);
        assert!(refused.error.contains(told), "{refused:?}");
    }
    // A stored key that is gone.
    std::fs::write(&path, "[profiles.default]\nbase_url = \"http://a\"\napi_key_file = \"/nonexistent/key\"\n")
        .unwrap();
    let gone = run(with_config(&path, &["websites"])).await.with(2);
    assert!(gone.error.contains("`api_key_file`") && gone.error.contains("contentgen login"), "{gone:?}");
    server.stop().await;
}
