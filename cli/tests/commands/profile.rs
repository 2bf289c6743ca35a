//! `--profile`: servers by name, with keys from other sources.

use std::path::Path;
use std::process::Command;

use super::program::{Ended, contentgen, run};
use super::server::{base_url, demonstration};
#[cfg(unix)]
use super::until::GIVE_UP_AFTER;

const SECRET: &str = "secret_of_nobody";

fn with_config(path: &Path, words: &[&str]) -> Command {
    let mut command = contentgen(words);
    command.env("CONTENTGEN_CONFIG", path);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_profile_names_server_and_website_and_where_the_key_is_found() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let folder = tempfile::tempdir().unwrap();
    let (path, key) = (folder.path().join("config.toml"), folder.path().join("key"));
    std::fs::write(&key, format!("{}\n", account.api_key)).unwrap();
    let profile = format!(
        "[profiles.env]\nbase_url = {url:?}\nwebsite_id = {website:?}\napi_key_env = \"DEMO_KEY\"\n\
         [profiles.keyring]\nbase_url = {url:?}\napi_key_command = [\"cat\", {key:?}]\n",
        url = base_url(&server),
        website = account.website_id
    );
    std::fs::write(&path, profile).unwrap();
    let mut by_variable = with_config(&path, &["generate", "Leeks", "--profile", "env", "--json"]);
    // A profile takes precedence over the environment.
    by_variable
        .env("DEMO_KEY", &account.api_key)
        .env("CONTENTGEN_API_KEY", SECRET)
        .env("CONTENTGEN_BASE_URL", "http://a");
    assert_eq!(run(by_variable).await.well().json()["website_id"], account.website_id.as_str());
    run(with_config(&path, &["websites", "--profile", "keyring"])).await.well();
    let mut by_environment = with_config(&path, &["websites"]);
    by_environment.env("CONTENTGEN_PROFILE", "keyring");
    run(by_environment).await.well();
    // The default location works too.
    let home = folder.path().join(".config/contentgen");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::copy(&path, home.join("config.toml")).unwrap();
    let mut at_home = contentgen(&["websites", "--profile", "keyring"]);
    at_home.env_remove("XDG_CONFIG_HOME").env_remove("APPDATA").env("HOME", folder.path());
    run(at_home).await.well();
    server.stop().await;
}

#[tokio::test]
async fn a_profile_that_cannot_be_used_is_told_without_what_stands_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let url = "base_url = \"http://127.0.0.1:1\"\n";
    let cases = [
        ("", "it has no profiles; `contentgen login --profile a`"),
        ("profiles = \"secret_of_nobody\"\n", "is not a table"),
        ("[profiles.b]\nbase_url = \"http://b\"\n", "its profiles: b"),
        ("[profiles.a]\nbase_url = secret_of_nobody\n", "is not TOML at line 2"),
        ("[profiles.a]\nURL", "nor `api_key_file`"),
        ("[profiles.a]\nURLapi_key = \"secret_of_nobody\"\n", "api_key_env"),
        ("[profiles.a]\nURLhook_secret = \"secret_of_nobody\"\n", "hook_secret_command"),
        ("[profiles.a]\nURLsecret_of_nobody = 1\n", "an unknown or invalid field"),
        ("[profiles.a]\nURLapi_key_env = \"NO_SUCH_VARIABLE\"\n", "NO_SUCH_VARIABLE"),
        ("[profiles.a]\nURLapi_key_env = \"secret_of_nobody\"\n", "`api_key_env`"),
        ("[profiles.a]\nURLapi_key_command = [\"secret_of_nobody\"]\n", "`api_key_command`"),
        ("[profiles.a]\nURLapi_key_env = \"A\"\napi_key_command = [\"b\"]\n", "both"),
        ("[profiles.a]\nURLapi_key_command = []\n", "is empty"),
        ("[profiles.a]\nURLapi_key_command = [\"no-such-program\"]\n", "cannot be started"),
        ("[profiles.a]\nURLapi_key_command = [\"false\"]\n", "ended with"),
        ("[profiles.a]\nURLapi_key_command = [\"true\"]\n", "printed nothing"),
        ("[profiles.a]\nURLapi_key_command = [\"cat\", \"/dev/zero\"]\n", "more than 4096 bytes"),
    ];
    let is_told = |refused: Ended, told: &str| {
        assert!(refused.error.contains(told) && !refused.error.contains(SECRET), "{told}: {refused:?}");
    };
    for (text, told) in cases {
        std::fs::write(&path, text.replace("URL", url)).unwrap();
        is_told(run(with_config(&path, &["websites", "--profile", "a"])).await.with(2), told);
    }
    std::fs::write(&path, "#".repeat(65_537)).unwrap();
    is_told(run(with_config(&path, &["websites", "--profile", "a"])).await.with(2), "more than 65536 bytes");
    for key in ["SECRET7OF7NOBODY", "AAAABBBBCCCCDDDDEEEEFFFF", "LIVE_4F9ZSECRET"] {
        std::fs::write(&path, format!("[profiles.a]\n{url}api_key_env = \"{key}\"\n")).unwrap();
        let refused = run(with_config(&path, &["websites", "--profile", "a"])).await.with(2);
        assert!(refused.error.contains("`api_key_env`") && !refused.error.contains(key), "{refused:?}");
    }
    is_told(
        run(with_config(&folder.path().join("none"), &["websites", "--profile", "a"])).await.with(2),
        "`contentgen login --base-url URL` writes this file",
    );
    for other in [["--base-url", "http://a"], ["--ready-file", "b"]] {
        is_told(run(contentgen(&["websites", "--profile", "a", other[0], other[1]])).await.with(2), other[0]);
    }
}

/// A keyring's program may start a daemon, which keeps standard output open.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_has_ended_is_not_waited_for_because_of_its_children() {
    let server = demonstration().await;
    let folder = tempfile::tempdir().unwrap();
    let (path, blocked) = (folder.path().join("config.toml"), Blocked::new(folder.path()));
    let script = format!("{} & echo {}", blocked.read_by("2>/dev/null"), server.accounts()[0].api_key);
    std::fs::write(&path, profile_by(&base_url(&server), &script)).unwrap();
    run(with_config(&path, &["websites", "--profile", "a"])).await.well();
    server.stop().await;
}

/// The children of a program end with it. Otherwise a prompt could remain and wait for a person who has left.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_children_of_a_program_that_is_given_up_end_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, blocked) = (folder.path().join("config.toml"), Blocked::new(folder.path()));
    // The child holds standard error, which the test reads to its end.
    let script = format!("{} & cat /dev/zero", blocked.read_by(">/dev/null"));
    std::fs::write(&path, profile_by("http://127.0.0.1:1", &script)).unwrap();
    let ended = run(with_config(&path, &["websites", "--profile", "a"]));
    let ended = tokio::time::timeout(GIVE_UP_AFTER, ended).await;
    let ended = ended.expect("the child has ended, too").with(2);
    assert!(ended.error.contains("more than 4096 bytes"), "{ended:?}");
}

/// A pipe that delivers nothing until it is dropped.
#[cfg(unix)]
struct Blocked(std::path::PathBuf);

#[cfg(unix)]
impl Blocked {
    fn new(folder: &Path) -> Self {
        let path = folder.join("blocked");
        let made = Command::new("mkfifo").arg(&path).status().expect("there is a mkfifo command");
        assert!(made.success());
        Self(path)
    }

    /// Returns a shell command that reads from the pipe, with an output redirected before.
    fn read_by(&self, redirected: &str) -> String {
        format!("(exec {redirected}; cat <'{}')", self.0.display())
    }
}

#[cfg(unix)]
impl Drop for Blocked {
    fn drop(&mut self) {
        // Opening the pipe ends its readers. Opened for both directions, it does not block.
        let _opened = std::fs::File::options().read(true).write(true).open(&self.0);
    }
}

/// A profile whose key is printed by a shell.
#[cfg(unix)]
fn profile_by(base_url: &str, script: &str) -> String {
    format!("[profiles.a]\nbase_url = {base_url:?}\napi_key_command = [\"sh\", \"-c\", {script:?}]\n")
}

#[tokio::test]
async fn a_profile_without_a_hook_secret_does_not_take_that_of_another_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "[profiles.a]\nbase_url = \"http://127.0.0.1:1\"\napi_key_env = \"DEMO_KEY\"\n").unwrap();
    let listen = |words: &[&str]| {
        let mut command = with_config(&path, &[&["listen", "--listen", "127.0.0.1:0"][..], words].concat());
        command.env("CONTENTGEN_HOOK_SECRET", "whsec_no*base64");
        command
    };
    let by_name = run(listen(&["--profile", "a"])).await.with(2);
    assert!(by_name.error.contains("hook_secret_env") && !by_name.error.contains("base64"), "{by_name:?}");
    let mut by_variable = listen(&[]);
    by_variable.env("CONTENTGEN_PROFILE", "a");
    assert!(run(by_variable).await.with(2).error.contains("hook_secret_env"));
    // Without a profile, the environment's secret applies.
    assert!(run(listen(&[])).await.with(2).error.contains("base64"));
}
