//! Measures how many crates and processor seconds the SDK adds to the clean build of a user's program. The baseline does the same with
//! reqwest and serde over the same TLS. This bench fails when a goal is missed, because a dependency can be added with one line.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// Maximum number of crates that the SDK may add.
const CRATES: usize = 10;
/// Maximum ratio of processor time, with the SDK to without.
const SECONDS: f64 = 1.20;

/// Dependencies of both programs; the SDK adds the rest.
const BOTH: &str = r#"tokio = { version = "1.54", features = ["macros", "rt"] }"#;
const ALONE: &str = r#"
reqwest = { version = "0.13", default-features = false, features = ["json", "rustls-no-provider"] }
rustls = { version = "0.23", default-features = false, features = ["ring", "std", "tls12"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#;
const ALONE_PROGRAM: &str = r#"
#[derive(Debug, serde::Deserialize)]
struct Job { job_id: String, status: String }

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let url = format!("{}/api/v1/jobs/job_1", std::env::var("CONTENTGEN_BASE_URL")?);
    let request = reqwest::Client::new().get(url).bearer_auth(std::env::var("CONTENTGEN_API_KEY")?);
    let job: Job = request.send().await?.error_for_status()?.json().await?;
    println!("{} {}", job.job_id, job.status);
    Ok(())
}
"#;
const SDK_PROGRAM: &str = r#"
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let job = contentgen_sdk::Client::from_env()?.get_job("job_1").send().await?;
    println!("{} {}", job.job_id, job.status);
    Ok(())
}
"#;

/// How it is measured.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(crate) struct Options {
    /// How often `sdk-build` builds each of the two programs.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    builds: u8,
}

/// Builds both programs in turn, and compares them.
pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let sdk = format!("contentgen-sdk = {{ path = '{}' }}\n", root.join("sdk").display());
    let alone = User::write(root, folder.path(), "alone", ALONE, ALONE_PROGRAM)?;
    let with = User::write(root, folder.path(), "with", &sdk, SDK_PROGRAM)?;
    let crates = (alone.crates()?, with.crates()?);
    let mut rounds = Vec::new();
    for _ in 0..options.builds {
        let (alone, with) = (alone.build()?, with.build()?);
        rounds.push((with / alone, alone, with));
    }
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (ratio, alone, with) = *rounds.get(rounds.len() / 2).context("no round was measured")?;
    let mut out = std::io::stdout().lock();
    let added = crates.1.difference(&crates.0).count().saturating_sub(crates.0.difference(&crates.1).count());
    let verdict = |is_met: bool| if is_met { "met" } else { "MISSED" };
    let (has_few, is_fast) = (added <= CRATES, ratio <= SECONDS);
    writeln!(out, "crates: reqwest and serde {}, SDK {}", crates.0.len(), crates.1.len())?;
    writeln!(out, "  {added} more, goal {CRATES}: {}", verdict(has_few))?;
    for name in crates.1.difference(&crates.0) {
        writeln!(out, "    {name}")?;
    }
    writeln!(out, "clean build: reqwest and serde {alone:.1} s, SDK {with:.1} s of processor time")?;
    let ratios: Vec<String> = rounds.iter().map(|(ratio, ..)| format!("{ratio:.2}")).collect();
    writeln!(out, "  rounds {}, median {ratio:.2}, goal {SECONDS:.2}: {}", ratios.join(" "), verdict(is_fast))?;
    ensure!(
        has_few && is_fast,
        "the SDK costs its users more than was promised; `cargo tree -p contentgen-sdk` shows why"
    );
    Ok(())
}

/// A user's program.
struct User {
    folder: std::path::PathBuf,
}

impl User {
    /// Writes the program, with the dependency versions of the workspace.
    fn write(root: &Path, folder: &Path, name: &str, dependencies: &str, program: &str) -> Result<Self> {
        let folder = folder.join(name);
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{BOTH}\n{dependencies}"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), program)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder })
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"));
        command
    }

    /// Returns the crates that are built for the program, by name and version.
    fn crates(&self) -> Result<BTreeSet<String>> {
        let output = self.cargo(&["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"]).output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "cargo tree failed; build the SDK first, which fetches its crates: {complaint}"
        );
        let text = String::from_utf8(output.stdout)?;
        // The first line names the program itself.
        let named = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        Ok(text.lines().skip(1).filter(|line| !line.is_empty()).map(named).collect())
    }

    /// Builds the program from scratch and returns the processor seconds used.
    fn build(&self) -> Result<f64> {
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(target)?;
        }
        let before = seconds_of_children()?;
        let status = self.cargo(&["build", "--quiet"]).stdout(Stdio::null()).status()?;
        ensure!(status.success(), "cargo build failed in {}", self.folder.display());
        Ok(seconds_of_children()? - before)
    }
}

/// Returns the processor seconds of the child processes that have ended (proc(5): fields 16 and 17 of `/proc/self/stat`, in ticks of which
/// Linux has 100 a second).
fn seconds_of_children() -> Result<f64> {
    let stat =
        fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat; this benchmark needs Linux")?;
    let (_, fields) = stat.rsplit_once(')').context("unknown format of /proc/self/stat")?;
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / 100.0)
}
