//! Converts flags, file and environment to a target.
//!
//! `file` defines the format of the file.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::arguments::duration;
use super::environment::{key, value_of};
use super::file::{CaptureTable, ConfigurationFile, HooksTable, IdFrom, KnownFailureTable};
use super::lent;
use super::placeholder::check_script;
use super::set_up_commands::CommandRegistrar;
use crate::check::{ArticleIdSource, Capture, FailingJob};
use crate::report::About;
use crate::requirements::catalogue;
use crate::runner::{Account, HookRegistrar, HookSetUp, HttpsProxy, KnownFailure, Limits, SetUpError, Target};
use crate::spec::Profile;

/// Maximum value of `hooks.retry_within`.
const MAX_RETRY_WITHIN: Duration = Duration::from_mins(1);

/// Allowed values of `limits.requests_per_second` except 0.
const RATES: std::ops::RangeInclusive<f64> = 0.01..=100_000.0;

/// The content of a configuration.
#[derive(Debug)]
pub(super) struct Configured {
    pub(super) target: Target,
    pub(super) profile: Profile,
    pub(super) known_failures: Vec<KnownFailure>,
    pub(super) about: About,
}

impl Configured {
    /// Returns a configuration with only a target.
    pub(super) fn new(target: Target) -> Self {
        Self { target, profile: Profile::Full, known_failures: Vec::new(), about: About::default() }
    }
}

/// Returns the target of `--base-url` and the environment.
pub(super) fn from_base_url(base_url: &str) -> Result<Configured, SetUpError> {
    let account = Account { api_key: key("CONTENTGEN_API_KEY")?, website_id: value_of("CONTENTGEN_WEBSITE_ID") };
    let mut target = Target::new(base_url, account);
    let alone = |variable| value_of(variable).map(|api_key| Account { api_key, website_id: None });
    let with_website =
        |variable, website| alone(variable).map(|account| Account { website_id: value_of(website), ..account });
    target.other_account = with_website("CONTENTGEN_OTHER_API_KEY", "CONTENTGEN_OTHER_WEBSITE_ID");
    target.small_quota = alone("CONTENTGEN_LIMITED_API_KEY");
    target.narrow_scope = alone("CONTENTGEN_NARROW_API_KEY");
    target.revoked_key = alone("CONTENTGEN_REVOKED_API_KEY");
    target.expired_key = alone("CONTENTGEN_EXPIRED_API_KEY");
    target.restricted_key = with_website("CONTENTGEN_RESTRICTED_API_KEY", "CONTENTGEN_RESTRICTED_WEBSITE_ID");
    lent::check_keys(&target)?;
    let (topic, website_id) = (value_of("CONTENTGEN_FAILING_TOPIC"), value_of("CONTENTGEN_FAILING_WEBSITE_ID"));
    target.failing_job = (topic.is_some() || website_id.is_some()).then_some(FailingJob { topic, website_id });
    target.inactive_website_id = value_of("CONTENTGEN_INACTIVE_WEBSITE_ID");
    target.double_opt_in_website_id = value_of("CONTENTGEN_DOUBLE_OPT_IN_WEBSITE_ID");
    target.https_proxy = https_proxy();
    Ok(Configured::new(target))
}

/// Returns the target of a file.
pub(super) fn from_file(path: &Path) -> Result<Configured, SetUpError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        SetUpError::Configuration(format!(
            "cannot read {}: {error}; give --config the path of a TOML file, or --base-url the address of the target",
            path.display()
        ))
    })?;
    let file: ConfigurationFile = toml::from_str(&text).map_err(|error| {
        SetUpError::Configuration(format!("{} is not a valid configuration: {error}", path.display()))
    })?;
    // Commands are relative to the folder of the file.
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::path::absolute(folder)
        .map_err(|error| SetUpError::Configuration(format!("{}: {error}", folder.display())))?;
    let mut configured = from_parsed(file, &folder)?;
    configured.target.flag = format!("--config {}", path.display());
    Ok(configured)
}

fn from_parsed(file: ConfigurationFile, folder: &Path) -> Result<Configured, SetUpError> {
    let (ca_file, profile) = (file.target.ca_file.clone(), file.target.profile);
    let client_certificate = file.target.client_certificate.clone();
    let mut target = lent::target(file.target)?;
    target.failing_job = file.failing_job.map(lent::failing_job).transpose()?;
    target.pausable = file.pausing.map(|table| lent::pausable(table, &target, folder)).transpose()?;
    target.restarter = file.restarting.map(|table| lent::restarter(table, folder)).transpose()?;
    target.writer = file.writer.map(|table| lent::writer(table, folder)).transpose()?;
    target.clock = file.clock.map(|table| lent::clock(table, folder)).transpose()?;
    target.ca_file = ca_file.map(|path| folder.join(path));
    target.client_certificate = client_certificate.map(|path| folder.join(path));
    target.https_proxy = https_proxy();
    target.article_id_from = match file.article.id_from {
        IdFrom::Job => ArticleIdSource::Job,
        IdFrom::JobId => ArticleIdSource::JobId,
        IdFrom::Hook => ArticleIdSource::Hook,
    };
    target.hook_id_pointer = file.article.hook_id_pointer;
    let ready_within = file.article.ready_within.as_deref();
    target.ready_within = ready_within.map(|text| time("article.ready_within", text)).transpose()?;
    target.hooks = file.hooks.map(|table| hooks(table, folder)).transpose()?;
    if let Some(leads) = file.leads {
        target.eraser = leads.erase.map(|command| lent::eraser(command, folder)).transpose()?;
        target.capture = Some(capture(leads.capture));
    }
    if !(file.limits.requests_per_second == 0.0 || RATES.contains(&file.limits.requests_per_second)) {
        let (slowest, fastest) = (RATES.start(), RATES.end());
        return Err(SetUpError::Configuration(format!(
            "limits.requests_per_second: must be from {slowest} to {fastest}, or 0 for no limit; it is {}",
            file.limits.requests_per_second
        )));
    }
    target.limits = Limits {
        requests_per_second: file.limits.requests_per_second,
        timeout: time("limits.timeout", &file.limits.timeout)?,
    };
    let about = About { organisation: file.report.organisation, contact: file.report.contact };
    Ok(Configured { target, profile, known_failures: known(file.known_failures)?, about })
}

/// Returns the proxy of the environment, from the upper-case or lower-case variables.
fn https_proxy() -> Option<HttpsProxy> {
    let either = |upper: &str| value_of(upper).or_else(|| value_of(&upper.to_lowercase()));
    Some(HttpsProxy { url: either("HTTPS_PROXY")?, except: either("NO_PROXY").unwrap_or_default() })
}

fn time(name: &str, text: &str) -> Result<Duration, SetUpError> {
    duration(text).map_err(|error| SetUpError::Configuration(format!("{name}: {error}")))
}

fn hooks(table: HooksTable, folder: &Path) -> Result<HookSetUp, SetUpError> {
    if table.register.is_none() && table.listen.ends_with(":0") {
        return Err(SetUpError::Configuration(
            "hooks.listen: port 0 chooses another port in each run; set a fixed port, or configure hooks.register"
                .to_owned(),
        ));
    }
    let retry_within = table.retry_within.as_deref().map(|text| time("hooks.retry_within", text)).transpose()?;
    if retry_within.is_some_and(|limit| limit > MAX_RETRY_WITHIN) {
        return Err(SetUpError::Configuration(
            "hooks.retry_within: must be at most 60s, because the suite waits no longer; leave it out if the server retries later"
                .to_owned(),
        ));
    }
    let HooksTable { register, remove, register_leads, rotate, redeliver, .. } = table;
    for (setting, command) in [
        ("hooks.register", &register),
        ("hooks.remove", &remove),
        ("hooks.register_leads", &register_leads),
        ("hooks.rotate", &rotate),
        ("hooks.redeliver", &redeliver),
    ] {
        check_script(setting, command.as_deref())?;
    }
    let registrar = register.map(|register| {
        Arc::new(CommandRegistrar { folder: folder.to_owned(), register, remove, register_leads, rotate, redeliver })
            as Arc<dyn HookRegistrar>
    });
    Ok(HookSetUp {
        listen: table.listen,
        public_url: table.public_url,
        registrar,
        standard_webhooks: table.standard_webhooks,
        probe_private_addresses: table.probe_private_addresses,
        retry_within,
        in_process: None,
    })
}

fn capture(table: CaptureTable) -> Capture {
    Capture {
        method: table.method,
        url: table.url,
        json: table.json,
        form: table.form.map(|fields| fields.into_iter().collect()),
    }
}

fn known(tables: Vec<KnownFailureTable>) -> Result<Vec<KnownFailure>, SetUpError> {
    let ids: Vec<&str> = catalogue().iter().map(|requirement| requirement.id).collect();
    tables
        .into_iter()
        .map(|table| {
            if !ids.contains(&table.id.as_str()) {
                return Err(SetUpError::Configuration(format!(
                    "known_failures contains `{}`, which is not a requirement: `contentgen-conformance list` prints all ids",
                    table.id
                )));
            }
            if table.reason.trim().is_empty() {
                return Err(SetUpError::Configuration(format!(
                    "the entry for `{}` in known_failures has an empty reason: say why it fails, such as a ticket",
                    table.id
                )));
            }
            let expires = table.expires.as_deref().map(day).transpose()?;
            Ok(KnownFailure { id: table.id, reason: table.reason, expires })
        })
        .collect()
}

fn day(text: &str) -> Result<i64, SetUpError> {
    let day = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| {
        SetUpError::Configuration(format!("known_failures.expires `{text}` is not a date: write it like 2027-03-01"))
    })?;
    Ok(day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp())
}
