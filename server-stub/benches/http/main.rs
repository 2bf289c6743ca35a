//! Cost of durability and reading: rates of the server's routes beside the same route with its database in memory, and beside a constant. Both are measured in one run
//! on one machine, so the ratios are comparable although the figures are not. `cargo bench -p contentgen-server-stub` measures all.
//! `--help` lists the options after `--bench http --`.

mod arguments;
mod disk;
mod load;
mod peer;
#[path = "../rate/stopwatch.rs"]
mod rate;
mod servers;

use std::io::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use arguments::Arguments;
use clap::Parser as _;
use rate::Rate;
use servers::Servers;

/// Connections of the load.
const CONNECTIONS: usize = 64;
/// Duration of each measurement, and of each turn of a pair.
const SLICE: Duration = Duration::from_secs(2);
const ROUNDS: usize = 5;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    // Only `cargo bench` measures; `cargo test --benches` runs this program too.
    if !arguments.bench {
        return Ok(());
    }
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    runtime.block_on(measure(&arguments))
}

async fn measure(arguments: &Arguments) -> anyhow::Result<()> {
    let servers = Servers::start().await?;
    let mut out = std::io::stdout();
    writeln!(out, "{CONNECTIONS} connections, {ROUNDS} rounds of {} s each, alternating", SLICE.as_secs())?;

    let durable = Pair { name: "POST /generate, durable", goal: 0.40, other: "the same without waiting for a disk" };
    let request = servers.generate_request();
    durable.measure(&mut out, arguments, 202, (servers.real, &request), (servers.in_memory, &request)).await?;

    if arguments.peer && arguments.wants(peer::NAME) {
        peer::measure(&mut out, &servers, &arguments.python).await?;
    }

    let reading = Pair { name: "GET /articles/{id}", goal: 0.50, other: "a constant of the same size" };
    let (article, constant) = (servers.article_request(), servers.constant_request());
    reading.measure(&mut out, arguments, 200, (servers.real, &article), (servers.real, &constant)).await?;

    for (path, name) in [
        ("websites", "GET /websites, 20 of them"),
        ("articles", "GET /articles, 20 of them"),
        ("leads", "GET /leads, 20 of them"),
        ("scheduled_posts", "GET /scheduled_posts, 20 of them"),
    ] {
        let listing = Pair { name, goal: 0.33, other: "GET /articles/{id}" };
        let list = servers.list_request(path);
        listing.measure(&mut out, arguments, 200, (servers.real, &list), (servers.real, &article)).await?;
    }
    servers.stop().await;
    Ok(())
}

struct Pair {
    name: &'static str,
    other: &'static str,
    goal: f64,
}

impl Pair {
    /// Sends the two requests by turns, each to its server, and prints the rates.
    async fn measure(
        &self,
        out: &mut impl std::io::Write,
        arguments: &Arguments,
        status: u16,
        one: (SocketAddr, &[u8]),
        other: (SocketAddr, &[u8]),
    ) -> anyhow::Result<()> {
        if !arguments.wants(self.name) {
            return Ok(());
        }
        let mut rates = Vec::new();
        for _ in 0..ROUNDS {
            let with = load::run(&[one.0], one.1, status, CONNECTIONS, SLICE).await?;
            let without = load::run(&[other.0], other.1, status, CONNECTIONS, SLICE).await?;
            rates.push((with, without));
        }
        Ok(self.print(out, &rates)?)
    }

    /// Prints the round with the median ratio, because one disturbed round does not decide.
    fn print(&self, out: &mut impl std::io::Write, rates: &[(Rate, Rate)]) -> std::io::Result<()> {
        let mut rounds: Vec<_> =
            rates.iter().map(|(with, without)| (with.per_second / without.per_second, with, without)).collect();
        rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (ratio, with, without) = rounds[rounds.len() / 2];
        let verdict = if ratio >= self.goal { "reached" } else { "MISSED" };
        let line = |name, rate: &Rate| format!("  {name}: {:.0}/s, {:.0} µs CPU", rate.per_second, rate.cpu_micros);
        writeln!(out, "{}", line(self.name, with))?;
        writeln!(out, "{}", line(self.other, without))?;
        let (lowest, highest) = (rounds[0].0, rounds[rounds.len() - 1].0);
        let by_cpu = without.cpu_micros / with.cpu_micros;
        writeln!(
            out,
            "  ratio of rates {ratio:.2} (rounds {lowest:.2} to {highest:.2}; by CPU {by_cpu:.2}), goal {:.2} {verdict}",
            self.goal,
        )
    }
}
