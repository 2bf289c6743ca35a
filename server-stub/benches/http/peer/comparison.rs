//! Submissions a second of both servers, by turns under the same load, with the speed of the disk in the same round.

use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;

use super::environment::Environment;
use super::processes::PeerProcess;
use crate::disk::{Disk, GROUP_BYTES};
use crate::servers::Servers;
use crate::{CONNECTIONS, ROUNDS, SLICE, load};

/// Heading above the figures.
pub(crate) const NAME: &str = "POST /generate, durable, beside FastAPI with uvicorn, which stores nothing";
/// Minimum ratio of the server's rate to the peer's.
const GOAL: f64 = 7.0;

/// Figures of one round, all per second.
struct Round {
    durable: f64,
    commits: f64,
    peer: f64,
    disk: f64,
}

impl Round {
    async fn measure(server: SocketAddr, peer: &[SocketAddr], request: &[u8], disk: &Disk) -> anyhow::Result<Self> {
        let (began, before) = (Instant::now(), disk.commits()?);
        let durable = load::run(&[server], request, 202, CONNECTIONS, SLICE).await?.per_second;
        let commits = f64::from(disk.commits()?.wrapping_sub(before)) / began.elapsed().as_secs_f64();
        let peer = load::run(peer, request, 202, CONNECTIONS, SLICE).await.context("the peer failed")?.per_second;
        Ok(Self { durable, commits, peer, disk: disk.groups_per_second().await? })
    }

    fn ratio(&self) -> f64 {
        self.durable / self.peer
    }
}

impl fmt::Display for Round {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { durable, commits, peer, disk } = self;
        let ratio = self.ratio();
        write!(
            formatter,
            "{durable:.0}/s in {commits:.0} commits, peer {peer:.0}/s, ratio {ratio:.1}; disk {disk:.0}/s"
        )
    }
}

/// Installs the peer with one process for each core, measures and prints. A missed goal is printed and is not an error.
pub(crate) async fn measure(out: &mut impl Write, servers: &Servers, python: &Path) -> anyhow::Result<()> {
    writeln!(out, "{NAME}")?;
    let environment = Environment::install(python)?;
    let request = servers.generate_request();
    let mut processes = Vec::new();
    for _ in 0..std::thread::available_parallelism()?.get() {
        processes.push(PeerProcess::start(&environment, &servers.api_key, &request).await?);
    }
    writeln!(out, "  {}", environment.versions()?)?;
    let addresses: Vec<_> = processes.iter().map(|process| process.address).collect();
    let addresses = fastest(out, &addresses, &request).await?;
    let disk = Disk::new(&servers.database())?;
    let mut rounds = Vec::new();
    for number in 1..=ROUNDS {
        let round = Round::measure(servers.real, addresses, &request, &disk).await?;
        writeln!(out, "  round {number}: {round}")?;
        rounds.push(round);
    }
    drop(processes);
    Ok(print(out, rounds)?)
}

/// Returns the faster set-up of uvicorn: one process, which is its default, or all processes with the same number of connections each. The
/// option `--workers` is slower than one process: the workers share a socket, so they get connections unevenly, and asyncio leaves Nagle's
/// algorithm on.
async fn fastest<'a>(
    out: &mut impl Write,
    addresses: &'a [SocketAddr],
    request: &[u8],
) -> anyhow::Result<&'a [SocketAddr]> {
    let one = load::run(&addresses[..1], request, 202, CONNECTIONS, SLICE).await?.per_second;
    writeln!(out, "  1 process: {one:.0}/s")?;
    if addresses.len() == 1 {
        return Ok(addresses);
    }
    let all = load::run(addresses, request, 202, CONNECTIONS, SLICE).await?.per_second;
    writeln!(out, "  {} processes: {all:.0}/s; the faster is the peer", addresses.len())?;
    Ok(if all > one { addresses } else { &addresses[..1] })
}

/// Prints the round with the median ratio, because one disturbed round does not decide.
fn print(out: &mut impl Write, mut rounds: Vec<Round>) -> io::Result<()> {
    rounds.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    let (lowest, median, highest) = (&rounds[0], &rounds[rounds.len() / 2], &rounds[rounds.len() - 1]);
    let verdict = if median.ratio() >= GOAL { "met" } else { "MISSED" };
    writeln!(
        out,
        "  ratio {:.1} (rounds {:.1} to {:.1}), goal at least {GOAL}: {verdict}",
        median.ratio(),
        lowest.ratio(),
        highest.ratio()
    )?;
    let (fewest, most) = rounds
        .iter()
        .map(|round| round.disk)
        .fold((f64::INFINITY, 0.0_f64), |(fewest, most), disk| (fewest.min(disk), most.max(disk)));
    writeln!(
        out,
        "  disk: {:.0} times write and fdatasync of {} KiB a second (rounds {fewest:.0} to {most:.0}); \
         the commits used {:.0} % of that",
        median.disk,
        GROUP_BYTES / 1024,
        100.0 * median.commits / median.disk
    )
}
