//! `publishing`: `kill -9` while customer systems process articles and files are written. Arriving requests trigger the kills, so that they
//! fall into the middle of publishing.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rand::RngExt as _;
use tokio::time::timeout;

use super::super::cms::{Cms, System};
use super::super::launch::Launch;
use super::super::ledger::Ledger;
use super::super::oracle::{Publications, Pushes, StoredArticle, judge_publications};
use super::super::outcome::Outcome;
use super::super::registration::ACCOUNT;
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

/// Maximum lifetime of a process when nothing arrives: at first, …
const SILENT_LIFE: Duration = Duration::from_millis(1500);
/// … and on a machine that is too slow to start it and send something within that time.
const LONGEST_SILENT_LIFE: Duration = Duration::from_secs(24);
/// Maximum lifetime after an arrival, in milliseconds. It often lasts until after the response, so that kills fall between the response and
/// its record.
const BEHIND_ARRIVAL: u64 = 70;
/// Number of articles for each kill, so that some are always left to publish.
const JOBS_PER_KILL: u32 = 3;
/// Average lifetime, including the start.
const AVERAGE: Duration = Duration::from_millis(450);
/// The folder of the website with files.
const FOLDER: &str = "posts";

/// The websites, one for each target.
struct Websites {
    pushed: Vec<(System, String, Vec<u8>)>,
    filed: String,
}

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let launch = Launch { publishes_files: true, ..Launch::slow_to_commit().often_killed() };
    let mut world = World::new(plan, Scenario::Publishing.as_str(), 12, launch).await?;
    let cms = Cms::start().await?;
    let websites = register(&mut world, &cms)?;
    world.start_all()?;
    let load = world.load(plan.jobs.max(plan.kills * JOBS_PER_KILL), AVERAGE * plan.kills);
    let mut arrivals = cms.arrivals();
    let mut in_the_middle = 0_usize;
    let mut silent_life = SILENT_LIFE;
    for number in 1..=plan.kills {
        arrivals.mark_unchanged();
        // If nothing arrives for a while, the process is killed nevertheless.
        let is_silent = timeout(silent_life, arrivals.changed()).await.is_err();
        if is_silent && in_the_middle == 0 {
            silent_life = LONGEST_SILENT_LIFE.min(silent_life * 2);
        }
        world.live(0, BEHIND_ARRIVAL).await;
        let victim = world.random.random_range(0..world.servers.len());
        in_the_middle += usize::from(cms.open() > 0);
        world.kill(victim).await?;
        world.restart(victim)?;
        progress.say(format!("kill {number} of {}", plan.kills));
    }
    if in_the_middle == 0 {
        world.faults.push("no kill happened during a request".to_owned());
    }
    world.settle(load).await?;
    let publications = collect(&world, &cms, websites).await?;
    world.verdicts.extend(judge_publications(&publications));
    let requests: usize = publications.pushes.iter().map(|pushes| pushes.received.len()).sum();
    let pushed = publications.articles.len() - publications.directory.1.len();
    world.notes.push(format!(
        "{in_the_middle} kills while a system had a request open; {requests} requests for {pushed} articles; {} files",
        publications.directory.1.len()
    ));
    world.judge().await
}

/// Creates a website for each target; the scenario's own website becomes the one with files.
fn register(world: &mut World, cms: &Cms) -> Result<Websites> {
    let (folder, address) = (world.folder.path().to_owned(), world.database.address());
    std::fs::create_dir(Launch::publish_root(&folder))?;
    let program = world.program.clone();
    let run = |command: [&str; 2], more: &[&str]| {
        program.run_command(&folder, &address, &[command.as_slice(), &["--account", ACCOUNT], more].concat())
    };
    let filed = world.website_ids()[0].clone();
    run(["website", "set"], &["--id", &filed, "--publish-to", "directory", "--folder", FOLDER])?;
    let mut pushed = Vec::new();
    for system in System::ALL {
        let made = run(["website", "create"], &["--name", "Pushed", "--url", "https://pushed.example"])?;
        let id = made.get("website_id").context("the server printed no website")?.clone();
        let url = cms.url(system);
        let set = run(["website", "set"], &["--id", &id, "--publish-to", "push", "--push-url", &url])?;
        let secret = set.get("secret").and_then(|secret| secret.strip_prefix("whsec_"));
        let secret = STANDARD.decode(secret.context("the server printed no secret")?)?;
        world.add_website(id.clone());
        pushed.push((system, id, secret));
    }
    Ok(Websites { pushed, filed })
}

async fn collect(world: &World, cms: &Cms, websites: Websites) -> Result<Publications> {
    let articles = world.database.read(articles).await?;
    let pushes = websites.pushed.into_iter().map(|(system, website_id, secret)| Pushes {
        system,
        website_id,
        secret,
        received: cms.received(system),
    });
    let files = files(&Launch::publish_root(world.folder.path()).join(FOLDER))?;
    Ok(Publications { articles, pushes: pushes.collect(), kept: cms.kept(), directory: (websites.filed, files) })
}

fn articles(ledger: &mut dyn Ledger) -> Result<Vec<StoredArticle>> {
    let rows = ledger.rows("SELECT website_id, body FROM articles")?;
    let article = |row: Vec<super::super::ledger::Cell>| {
        let [website_id, body] = &row[..] else { anyhow::bail!("a row has unexpected columns") };
        Ok(StoredArticle { website_id: website_id.text()?, body: serde_json::from_str(&body.text()?)? })
    };
    rows.into_iter().map(article).collect()
}

/// Returns the folder's files, by name.
fn files(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).context("no file was published")? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).context("a file name is not UTF-8")?.to_owned();
        files.insert(name, std::fs::read_to_string(&path)?);
    }
    Ok(files)
}
