//! Separate processes. The environment decides which authorities a process trusts, and an installed provider stays until the process
//! ends. In one process, both would affect other tests.

use std::process::Command;

use contentgen_sdk::{Client, Error, RequestOptions};

use super::server::Server;

/// Key that must never be shown.
pub(crate) const KEY: &str = "live_4f9zSecretOfTheTests";
/// Number of retries of a failed call.
pub(crate) const RETRIES: u32 = 1;
/// Variable with the server's address for the second process.
const URL: &str = "CONTENTGEN_TLS_TEST_URL";

/// Returns the server's address in a process that `again` has started.
#[expect(clippy::disallowed_methods, reason = "this is how the second process learns of the server")]
pub(crate) fn server_url() -> Option<String> {
    std::env::var(URL).ok()
}

/// Runs the test of this name again, in a process that trusts only these authorities and finds the server by `server_url`.
pub(crate) fn again(test: &str, server: &Server, trusted: &str) {
    again_with(test, server, trusted, &[]);
}

/// Runs the test again with additional environment variables.
pub(crate) fn again_with(test: &str, server: &Server, trusted: &str, variables: &[(&str, &str)]) {
    // The crate in `sdk/svix` has tests of the same names, and may use the same folder.
    let name = format!("{}-{}", std::process::id(), test.replace("::", "-"));
    let roots = format!("{}/{name}.pem", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&roots, trusted).expect("cargo has made the folder");
    let mut command = Command::new(std::env::current_exe().expect("a test knows its program"));
    let command = command.args([test, "--exact", "--nocapture"]);
    // Clear the environment, which may set other proxies or certificates.
    command.env_clear().env(URL, &server.url).env("SSL_CERT_FILE", &roots).envs(variables.iter().copied());
    let output = command.output().expect("it starts");
    std::fs::remove_file(&roots).expect("it was written above");
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "in a separate process:\n{printed}");
}

/// Makes a client for a server, with short delays.
pub(crate) fn client(url: &str) -> Client {
    let pause = std::time::Duration::from_millis(1);
    let options = RequestOptions::default().backoff(pause, pause).max_retries(RETRIES);
    let builder = Client::builder().base_url(url).allow_plain_http().api_key(KEY).options(options);
    builder.build().expect("the configuration is complete")
}

/// Reads a job and returns its id and the cipher suite of the connection.
pub(crate) fn ask(client: &Client) -> Result<(String, String), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("the runtime starts");
    let job = runtime.block_on(client.get_job("job_1").send())?;
    let suite = job.request_id().expect("the response has a request id").to_owned();
    Ok((job.into_inner().job_id, suite))
}
