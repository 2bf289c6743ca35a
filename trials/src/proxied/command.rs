//! Arguments and steps of `cargo trials proxied`.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use tokio::process::Command;

use super::certificate::Certificate;
use super::nginx::Nginx;
use crate::crash::database::Database;
use crate::fleet::{Member, target};
use crate::program::Program;
use crate::reserved_port::ReservedPort;

/// The locations of the server behind nginx: at the root of a host with HTTPS and HTTP/2, and below a path that nginx strips, with HTTP/1.1
/// in plain text.
const PLACES: [Place; 2] =
    [Place { name: "root", path: "", is_https: true }, Place { name: "path", path: "/content", is_https: false }];

/// Runs the suite against the server behind nginx, at the root of a host with HTTPS and HTTP/2, and below a path, at the same time.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program nginx.
    #[arg(long, default_value = "nginx", value_name = "PROGRAM")]
    nginx: PathBuf,
    /// The cargo profile of the programs.
    #[arg(long, default_value = "release")]
    profile: String,
    /// Folder for the reports, with one subfolder for each of the two.
    #[arg(long, default_value = "target/proxied", value_name = "DIR")]
    report_dir: PathBuf,
    /// Options for `contentgen-conformance run`, after `--`.
    #[arg(last = true)]
    suite: Vec<String>,
}

/// A location of the server behind nginx.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Name of its folder for reports.
    name: &'static str,
    path: &'static str,
    is_https: bool,
}

/// Starts both servers, each behind a separate nginx, and runs the suite against both.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let server = Program::build(root, &arguments.profile, "contentgen-server", &[])?;
    let suite = Program::build(root, &arguments.profile, "contentgen-conformance", &[])?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let [at_root, below_path] = PLACES.map(|place| judged(root, arguments, place, &server, &suite));
        let (at_root, below_path) = tokio::join!(at_root, below_path);
        at_root.and(below_path)
    })
}

async fn judged(
    root: &Path,
    arguments: &Arguments,
    Place { name, path, is_https }: Place,
    server: &Program,
    suite: &Program,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let database = Database::sqlite(folder.path()).address();
    // The server needs nginx's address before nginx starts.
    let reserved = ReservedPort::new()?;
    let address = reserved.address();
    let certificate = if is_https { Some(Certificate::new(folder.path()).await?) } else { None };
    let scheme = if is_https { "https" } else { "http" };
    let base_url = format!("{scheme}://{address}{path}");
    let roles = ("server".to_owned(), "api,worker");
    let member = Member::start(server, folder.path(), roles, &database, Some(&base_url)).await?;
    let upstream: SocketAddr = member.address()?;
    let _nginx = Nginx::start(&arguments.nginx, folder.path(), (address, path), certificate.as_ref(), upstream).await?;
    let file = folder.path().join("conformance.toml");
    let configuration = target::configuration(&base_url, &member.ready, server.path())?;
    let trusting = |certificate: &Certificate| {
        let trust = format!("[target]\nca_file = {:?}", certificate.file.display().to_string());
        configuration.replacen("[target]", &trust, 1)
    };
    std::fs::write(&file, certificate.as_ref().map_or_else(|| configuration.clone(), trusting))?;
    let output = Command::new(suite.path())
        .args(["run", "--no-progress", "--config"])
        .arg(&file)
        .arg("--report-dir")
        .arg(arguments.report_dir.join(name))
        .args(&arguments.suite)
        .envs(target::keys(&member.ready)?)
        .env("CONTENTGEN_DATABASE", &database)
        .current_dir(root)
        .output()
        .await
        .context("the suite cannot be run")?;
    // Printed at the end, because the outputs of both runs would mix.
    std::io::stdout().write_all(&output.stdout)?;
    ensure!(
        output.status.success(),
        "the suite ended with {} against {base_url}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let ended = member.stop().await?;
    ensure!(ended.success(), "the server behind {base_url} ended with {ended}");
    Ok(())
}
