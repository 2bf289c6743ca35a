//! Checks the HTML of the hosted site's pages with the Nu Html Checker.

use std::path::Path;
use std::process::{Command, Stdio};

use super::driver::skip;
use super::filled::Filled;
use super::hosted;

/// Path of the checker after `npm ci`, relative to this crate's folder.
const CHECKER: &str = "tests/server/browser/node_modules/vnu-jar/build/dist/vnu.jar";

/// Returns the checker's messages about the files in a folder, one per line. If it cannot run, prints a message and returns `None`.
fn check(folder: &Path) -> Option<String> {
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join(CHECKER);
    if !checker.exists() {
        skip("the Nu Html Checker is not installed; run `npm --prefix examples/tests/server/browser ci`");
        return None;
    }
    let mut java = Command::new("java");
    // No language detection: the text of some pages is English although another language was requested.
    java.arg("-jar").arg(checker).args(["--format", "gnu", "--no-langdetect"]).arg(folder).stdin(Stdio::null());
    let Ok(output) = java.output() else {
        skip("java is not installed, which the Nu Html Checker needs");
        return None;
    };
    // The checker writes its messages to standard error.
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_of_the_hosted_site_is_valid() {
    let folder = tempfile::tempdir().expect("a temporary folder is to be had");
    std::fs::write(folder.path().join("broken.html"), "<!doctype html><title>x</title><p id=a><p id=a>")
        .expect("it can be written to");
    let Some(complaints) = check(folder.path()) else { return };
    assert!(complaints.contains("Duplicate ID"), "the checker does not see what is wrong: {complaints}");
    std::fs::remove_file(folder.path().join("broken.html")).expect("it is there");
    let filled = Filled::start().await;
    for page in hosted::pages(&filled.server).await {
        let url = format!("{}{}", crate::base_url(&filled.server), page.path);
        let html =
            crate::http().get(url).send().await.expect("the server answers").text().await.expect("a page is text");
        std::fs::write(folder.path().join(format!("{}.html", page.name)), html).expect("it can be written to");
    }
    let complaints = check(folder.path()).expect("it was there a moment ago");
    assert!(complaints.trim().is_empty(), "{complaints}");
    filled.server.stop().await;
}
