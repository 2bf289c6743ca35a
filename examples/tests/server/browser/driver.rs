//! `ChromeDriver`, through which tests drive Chromium, and the sessions that it opens. There is one process for all tests that
//! run at the same time, and a fresh profile for each session.

use std::env;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use thirtyfour::common::capabilities::desiredcapabilities::CapabilitiesHelper as _;
use thirtyfour::{
    ChromeCapabilities, ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
};

/// Names a `chromedriver` that must work: no test is skipped then.
const VARIABLE: &str = "CONTENTGEN_TEST_CHROMEDRIVER";
/// What Chromium may be called.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// For a machine without a screen, in a container, from which nobody is asked for anything.
const ARGUMENTS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1280,900",
];
/// How long a script may take: one looks at all pages.
const SCRIPT_LIMIT: Duration = Duration::from_mins(5);
/// How long it may take to end its sessions.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(10);

static SHARED: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

/// Whether pages may run their scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    On,
    Off,
}

/// A running `chromedriver`, which ends with the last test that uses it.
pub(crate) struct Driver {
    process: Child,
    /// It writes to a closed pipe otherwise.
    _output: BufReader<ChildStdout>,
    port: u16,
}

impl Driver {
    /// The one that other tests use already, or else a new one; `None`, and a word about it, where there is none to be had.
    pub(crate) fn shared() -> Option<Arc<Self>> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = shared.upgrade() {
            return Some(running);
        }
        let Some(program) = program() else {
            skip("chromedriver and chromium are not on the PATH");
            return None;
        };
        let started = Arc::new(Self::start(&program));
        *shared = Arc::downgrade(&started);
        Some(started)
    }

    fn start(program: &PathBuf) -> Self {
        let mut command = Command::new(program);
        let command = command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process =
            command.spawn().unwrap_or_else(|error| panic!("{} cannot be run: {error}", program.display()));
        let mut output = BufReader::new(process.stdout.take().expect("its output is piped"));
        let port = output.by_ref().lines().map_while(Result::ok).find_map(|line| {
            line.rsplit_once("started successfully on port ")
                .and_then(|(_, port)| port.trim_end_matches('.').parse().ok())
        });
        let port = port.unwrap_or_else(|| panic!("{} ended before it listened", program.display()));
        Self { process, _output: output, port }
    }

    /// A window with a profile of its own.
    pub(crate) async fn session(&self, script: Script) -> WebDriver {
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder().no_proxy().build().expect("its cryptography is installed");
        let address = format!("http://127.0.0.1:{}", self.port);
        let session = WebDriver::builder(address, capabilities(script)).client(http).connect().await;
        let session = session.unwrap_or_else(|error| panic!("Chromium does not start: {error}"));
        session.set_script_timeout(SCRIPT_LIMIT).await.expect("the session has timeouts");
        session
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It ends the browsers of tests that failed; killed alone, it would leave them behind.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _timeout = stream.set_read_timeout(Some(SHUTDOWN_LIMIT));
            let _sent = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
            let _answered = stream.read_to_end(&mut Vec::new());
        }
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

/// Says that a test is skipped; only where no driver is named.
pub(crate) fn skip(reason: &str) {
    assert!(!is_named(), "{VARIABLE} is set, so that no test may be skipped, but {reason}");
    std::io::stderr().write_all(format!("skipped: {reason}\n").as_bytes()).expect("standard error is open");
}

fn is_named() -> bool {
    env::var_os(VARIABLE).is_some()
}

fn program() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(named.into());
    }
    browser()?;
    on_path("chromedriver")
}

fn browser() -> Option<PathBuf> {
    BROWSERS.into_iter().find_map(on_path)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn capabilities(script: Script) -> ChromeCapabilities {
    const VALID: &str = "strings and numbers are JSON";
    let mut chrome = DesiredCapabilities::chrome();
    if let Some(browser) = browser() {
        chrome.set_binary(&browser.to_string_lossy()).expect(VALID);
    }
    for argument in ARGUMENTS {
        chrome.add_arg(argument).expect(VALID);
    }
    chrome.set_browser_log_level(LoggingPrefsLogLevel::All).expect(VALID);
    // Loopback has no certificate; and a test that leaves a half-filled form is not asked about it.
    chrome.set("unhandledPromptBehavior", "accept").expect(VALID);
    if script == Script::Off {
        let blocked = serde_json::json!({ "profile.managed_default_content_settings.javascript": 2 });
        chrome.add_experimental_option("prefs", blocked).expect(VALID);
    }
    chrome
}
