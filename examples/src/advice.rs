//! Advice for people about an error. Programs that run unattended should check the error's kind and code instead.

use std::io::Write as _;
use std::process::ExitCode;

use contentgen_sdk::{Error, ErrorKind};

/// Command that starts a server to try the examples with.
const START: &str = "cargo run --release -p contentgen-server-stub -- serve --demo";

/// Returns the error and, if possible, a sentence with advice.
pub fn with_advice(error: &Error) -> anyhow::Error {
    let advice = match (error.kind(), error.code()) {
        (ErrorKind::Connect, _) => format!("check that a server is running there, or start one with `{START}`"),
        (ErrorKind::Config, _) => format!("`{START}` prints the variables to set"),
        (_, Some("invalid_credentials" | "missing_credentials")) => {
            "the server does not know this key; a demonstration server creates new keys at each start".to_owned()
        }
        (_, Some("insufficient_scope")) => {
            "the key lacks the API scope for this; create a key that has it in the dashboard".to_owned()
        }
        (_, Some("website_not_found")) => "the website does not exist, or belongs to another account".to_owned(),
        (ErrorKind::Timeout | ErrorKind::WaitTimeout, _) => match error.job_id() {
            Some(job) => format!("the job {job} continues; check it again later"),
            None => "the server is slow or unreachable; try again".to_owned(),
        },
        _ => match error.request_id() {
            Some(request) => format!("the operator of the server can find the request by its id {request}"),
            None => return anyhow::anyhow!("{error:#}"),
        },
    };
    anyhow::anyhow!("{error:#}\n  {advice}")
}

/// Converts the outcome of a program to its exit code. An error is printed on one or two lines.
pub fn exit_code(outcome: &anyhow::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is no other way to report this.
            let _written = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
