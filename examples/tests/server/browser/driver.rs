//! Starts `ChromeDriver` to control Chromium, and opens its sessions. All tests that run at the same time share one process. Each
//! session has a new profile.

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

/// Environment variable with the path of a `chromedriver`. If it is set, no test is skipped.
const VARIABLE: &str = "CONTENTGEN_TEST_CHROMEDRIVER";
/// Names of Chromium's program.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Arguments for a container without a screen and without interaction.
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
/// Time limit for a script. One script reads all pages.
const SCRIPT_LIMIT: Duration = Duration::from_mins(5);
/// Time limit for the driver to end its sessions.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(10);

static SHARED: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

/// JavaScript setting of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    On,
    Off,
}

/// A running `chromedriver`. It ends with the last test that uses it.
pub(crate) struct Driver {
    process: Child,
    /// Kept open, because the driver writes to it.
    _output: BufReader<ChildStdout>,
    port: u16,
}

impl Driver {
    /// Returns the driver that other tests use already, or starts one. If none is installed, prints a message and returns `None`.
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

    /// Opens a window with a new profile.
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
        // On shutdown, the driver ends the browsers of failed tests. If it is only killed, they keep running.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _timeout = stream.set_read_timeout(Some(SHUTDOWN_LIMIT));
            let _sent = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
            let _answered = stream.read_to_end(&mut Vec::new());
        }
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

/// Prints that a test is skipped. Panics if the environment variable names a driver.
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
    // Accepts the browser's prompt when a test leaves a half-filled form.
    chrome.set("unhandledPromptBehavior", "accept").expect(VALID);
    if script == Script::Off {
        let blocked = serde_json::json!({ "profile.managed_default_content_settings.javascript": 2 });
        chrome.add_experimental_option("prefs", blocked).expect(VALID);
    }
    chrome
}
