//! `serve`: runs a server until a signal ends it.

use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::database::make_default_folder;
use super::failure::{Exit, Failure};
use super::logging::Log;
use super::output::print;
use super::{hook, ready, writer};
use crate::app::RateLimitPolicy;
use crate::config::{DEFAULT_DATABASE, Role, Serve, ServedQuota};
use crate::demo::add_samples;
use crate::domain::retention::Retention;
use crate::hooks::Tuning;
use crate::server::{Database, Server, Settings};

/// Number of articles that a language model writes at the same time. This machine only waits meanwhile, so its cores do not
/// matter.
const MODEL_CONCURRENCY: usize = 8;
/// Maximum number of networks of trusted proxies.
const MAX_TRUSTED_PROXIES: usize = 64;

pub(super) async fn serve(options: Serve, log: &Log) -> Result<(), Failure> {
    tokio::select! {
        served = serve_until_signal(options, log) => served,
        () = log.follow() => Ok(()),
    }
}

async fn serve_until_signal(options: Serve, log: &Log) -> Result<(), Failure> {
    // Listen for signals first, so that an early signal also stops the server in order.
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    if let Some(path) = &options.ready_file {
        ready::remove_file(path)?;
    }
    if let Database::At(database) = database(&options) {
        make_default_folder(&database)?;
    }
    if options.roles == [Role::Worker] && options.public_url.is_none() {
        let message = "--roles worker also needs --public-url, the address under which readers reach the articles";
        return Err(Failure::new(Exit::Usage, message));
    }
    #[cfg(feature = "failpoints")]
    crate::failpoints::arm(options.failpoints.clone().into());
    hook::check_listed(&options.hook_addresses)?;
    if options.trusted_proxies.len() > MAX_TRUSTED_PROXIES {
        let message = format!(
            "--trusted-proxy has {} networks, at most {MAX_TRUSTED_PROXIES} are allowed; merge adjacent networks",
            options.trusted_proxies.len()
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if !options.trusted_proxies.is_empty() && options.public_url.is_none() {
        let message = "--trusted-proxy also needs --public-url, the address under which readers reach the proxy";
        return Err(Failure::new(Exit::Usage, message));
    }
    if let Some(site_url) = &options.site_url
        && options.public_url.as_ref().is_none_or(|public_url| site_url.shares_host_with(public_url))
    {
        let message = "--site-url also needs --public-url, with another host, such as https://app.example.com for the API \
                       and the dashboard, and https://pages.example.com for pages";
        return Err(Failure::new(Exit::Usage, message));
    }
    options.check_retention().map_err(|message| Failure::new(Exit::Usage, message))?;
    let settings = Settings { dropped_log_lines: Some(log.dropped_lines()), ..settings(&options) };
    let mut server = Server::builder().settings(settings);
    if let Some(generator) = writer::generator(&options.writer)? {
        server = server.generator(generator);
    }
    let starting = async {
        let running = server.start().await?;
        let mut receiver = None;
        if begins_with_samples(&options) {
            let added = add_samples(running.app(), &running.accounts()[0], running.site_url()).await;
            receiver = Some(added.map_err(|error| Failure::of(Exit::Failed, &error))?);
        }
        Ok::<_, Failure>((running, receiver))
    };
    let (running, _receiver) = tokio::select! {
        started = starting => started?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    print(&ready::text(&running))?;
    if let Some(path) = &options.ready_file
        && let Err(failure) = ready::write_file(path, &running)
    {
        running.stop().await;
        return Err(failure);
    }
    let (base_url, metrics_url, writer) = (running.base_url(), running.metrics_url(), running.writer());
    tracing::info!(base_url, metrics_url, writer, "ready");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping; open requests and running jobs may finish");
    tokio::select! {
        has_drained = running.stop() => {
            if !has_drained {
                tracing::warn!("the shutdown timed out; unfinished jobs continue at the next start");
            }
        }
        _ = terminate.recv() => tracing::warn!("stopped at once after a second signal"),
        _ = interrupt.recv() => tracing::warn!("stopped at once after a second signal"),
    }
    Ok(())
}

pub(super) fn listen(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::new(Exit::Failed, format!("cannot listen for signals: {error}")))
}

/// Returns true for a demonstration that keeps nothing and pays for nothing: its own database is temporary, and no language model
/// writes. Other processes may share a database that is named.
fn begins_with_samples(options: &Serve) -> bool {
    let writes = options.roles.contains(&Role::Api) && options.roles.contains(&Role::Worker);
    options.demo && options.database.is_none() && writes && !options.writer.kind.asks_a_model()
}

fn database(options: &Serve) -> Database {
    match &options.database {
        Some(address) => Database::At(address.clone()),
        None if options.demo => Database::Temporary,
        None => Database::At(DEFAULT_DATABASE.to_owned()),
    }
}

fn settings(options: &Serve) -> Settings {
    let mut settings = Settings::new(database(options));
    if options.demo {
        settings = settings.into_demo();
    }
    settings.serves_api = options.roles.contains(&Role::Api);
    settings.serves_dashboard = options.roles.contains(&Role::Dashboard);
    let default = settings.listen.filter(|_| settings.serves_api || settings.serves_dashboard);
    settings.listen = options.listen.or(default);
    settings.metrics_listen = options.metrics_listen;
    settings.database_connections = options.database_connections;
    settings.is_worker = options.roles.contains(&Role::Worker);
    settings.public_url.clone_from(&options.public_url);
    settings.site_url.clone_from(&options.site_url);
    settings.allows_loopback_hooks |= options.allow_loopback_hooks;
    settings.secret_key = options.secret_key.source();
    settings.publish_root.clone_from(&options.publish_root);
    settings.trusted_proxies.clone_from(&options.trusted_proxies);
    if let Some(limit) = options.connections_per_client {
        settings.connections_per_client = limit;
    }
    settings.hook_addresses.clone_from(&options.hook_addresses.listed);
    settings.hooks = Tuning {
        attempt_timeout: Duration::from_secs(options.hook_timeout.into()),
        rate_per_second: options.hook_rate.unwrap_or(settings.hooks.rate_per_second),
        in_flight: options.hook_concurrency,
        per_endpoint: options.hook_concurrency_per_endpoint,
    };
    for quota in &options.quotas {
        match *quota {
            ServedQuota::Key(RateLimitPolicy::Generate, quota) => settings.generate_quota = quota,
            ServedQuota::Key(RateLimitPolicy::Api, quota) => settings.api_quota = quota,
            ServedQuota::Capture(quota) => settings.capture_quota = quota,
            ServedQuota::Pages(quota) => settings.pages_quota = quota,
        }
    }
    if let Some(limit) = options.queue_per_website {
        settings.limits.queue.per_website = limit;
    }
    if let Some(limit) = options.queue_per_account {
        settings.limits.queue.per_account = limit;
    }
    settings.limits.queue.per_day = options.articles_per_day;
    settings.retention = Retention::from(&options.retain);
    if let Some(schedule) = &options.hook_retry_schedule {
        settings.hook_retry_schedule.clone_from(schedule);
    }
    if let Some(concurrency) = options.concurrency {
        settings.concurrency = usize::from(concurrency);
    } else if options.writer.kind.asks_a_model() {
        settings.concurrency = MODEL_CONCURRENCY;
    }
    settings
}
