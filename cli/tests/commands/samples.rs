//! The commands of `contentgen` that the reference shows, in a shell.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use contentgen_server_stub::server::Running;

use super::program::{Ended, run};
use super::server::{article, base_url, demonstration, idle};

/// A shell with the variables that the commands use.
struct Shell<'a> {
    folder: &'a Path,
    commands: BTreeMap<String, String>,
    variables: Vec<(&'static str, String)>,
}

impl Shell<'_> {
    fn at(&mut self, server: &Running) {
        let account = &server.accounts()[0];
        self.variables.push(("CONTENTGEN_BASE_URL", base_url(server)));
        self.variables.push(("CONTENTGEN_API_KEY", account.api_key.clone()));
        self.variables.push(("CONTENTGEN_WEBSITE_ID", account.website_id.clone()));
    }

    /// Runs the command of an operation, with further words after it.
    async fn run(&mut self, operation: &str, more: &str) -> Ended {
        let command = self.commands.remove(operation).expect("the operation has a command");
        let programs = Path::new(env!("CARGO_BIN_EXE_contentgen")).parent().expect("a program is in a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command} {more}")).current_dir(self.folder);
        shell.env("PATH", format!("{}:{}", programs.display(), path.display())).envs(self.variables.iter().cloned());
        run(shell).await.well()
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_reference_runs() {
    let commands = serde_json::from_str(include_str!("../../../docs/samples/contentgen.json")).expect("it is JSON");
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Shell { folder: folder.path(), commands, variables: Vec::new() };
    // On this server no job ends by itself.
    let waiting = idle().await;
    shell.at(&waiting);
    let queued = shell.run("generate", "").await;
    shell.variables.push(("JOB_ID", queued.output.trim_end().to_owned()));
    assert!(shell.run("get_job", "").await.output.contains("queued"));
    assert!(shell.run("cancel_job", "").await.output.contains("cancelled"));
    waiting.stop().await;
    let server = demonstration().await;
    shell.at(&server);
    let article_id = article(&server, "Leeks").await;
    assert!(shell.run("list_articles", "").await.output.contains(&article_id));
    shell.variables.push(("ARTICLE_ID", article_id));
    assert!(shell.run("get_article", "").await.output.starts_with("# "));
    let posts = shell.run("list_scheduled_posts", "--json=id").await.json_lines();
    shell.variables.push(("SCHEDULED_POST_ID", posts[0]["id"].as_str().unwrap().to_owned()));
    assert!(shell.run("get_scheduled_post", "").await.output.contains("published"));
    assert_eq!(shell.run("capture_lead", "").await.json()["accepted"], true);
    shell.run("list_leads", "").await;
    let leads = std::fs::read_to_string(folder.path().join("leads.csv")).unwrap();
    let lead_id = leads.lines().nth(1).unwrap().split('"').nth(1).unwrap();
    shell.variables.push(("LEAD_ID", lead_id.to_owned()));
    assert!(shell.run("get_lead", "").await.output.contains("reader@example.com"));
    assert!(shell.run("list_websites", "").await.output.contains("web_"));
    assert!(shell.commands.is_empty(), "not run: {:?}", shell.commands);
    server.stop().await;
}
