//! `run --certificate` and `verify-certificate`.

use std::io::Write;
use std::path::Path;

use super::arguments::VerifyArguments;
use super::exit::Exit;
use crate::report::{Certificate, CertificateError, on_one_line};
use crate::requirements::catalogue;
use crate::runner::SetUpError;
use crate::spec::Document;

/// Maximum length of a certificate, in bytes.
const MAX_CERTIFICATE: u64 = 64 * 1024;
/// Maximum length of a document, in bytes.
const MAX_DOCUMENT: u64 = 16 * 1024 * 1024;

/// Writes the certificate of the report in a folder, and returns a line about it. If the run does not show that the server conforms,
/// removes an earlier certificate instead. The error is one sentence.
pub(super) fn write(report_dir: &Path, file: &Path) -> Result<String, SetUpError> {
    let unwritable = |error: std::io::Error| {
        SetUpError::Configuration(format!("cannot write {}: {error}; choose another --certificate", file.display()))
    };
    match Certificate::of(report_dir) {
        Ok(certificate) => {
            let text = serde_json::to_string_pretty(&certificate).unwrap_or_default() + "\n";
            std::fs::write(file, text).map_err(unwritable)?;
            Ok(file.display().to_string())
        }
        Err(CertificateError::NotConformant(reason)) => match std::fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unwritable(error)),
            Ok(()) | Err(_) => Ok(format!("none: {}", on_one_line(&reason))),
        },
        Err(error) => Err(SetUpError::Configuration(error.to_string())),
    }
}

/// Compares a certificate with a report, a document and the requirements of this suite. The error is one sentence.
pub(super) fn verify(arguments: &VerifyArguments, output: &mut impl Write) -> Result<Exit, SetUpError> {
    let certificate = read(&arguments.certificate, MAX_CERTIFICATE)?;
    let certificate: Certificate = serde_json::from_slice(&certificate).map_err(|error| {
        let file = arguments.certificate.display();
        SetUpError::Configuration(format!("{file} is not a certificate: {error}; `run --certificate FILE` writes one"))
    })?;
    let mut complaints = match Certificate::of(&arguments.report) {
        Ok(of_report) => certificate.differences(&of_report),
        Err(error) => vec![error.to_string()],
    };
    let document = match &arguments.document {
        Some(file) => read(file, MAX_DOCUMENT)?,
        None => Document::embedded_text().as_bytes().to_vec(),
    };
    complaints.extend(certificate.other_document(&document));
    let is_own = certificate.suite_version == env!("CARGO_PKG_VERSION");
    if is_own {
        complaints.extend(certificate.other_requirements(&catalogue()));
    }
    // A closed pipe must not turn a verdict into a crash.
    for complaint in &complaints {
        let _ = writeln!(output, "Not valid: {}", on_one_line(complaint));
    }
    if !complaints.is_empty() {
        return Ok(Exit::NotConformant);
    }
    let Certificate { profile, requirements, document_version, suite_version, .. } = &certificate;
    let _ = writeln!(
        output,
        "Valid: the report shows a server that conforms to the {profile} profile of document {}, by {requirements} requirements of suite {}",
        on_one_line(document_version),
        on_one_line(suite_version)
    );
    if !is_own {
        let version = on_one_line(suite_version);
        let _ = writeln!(output, "The list of requirements was not compared: use suite {version} for that");
    }
    Ok(Exit::Conformant)
}

/// Reads a file up to this length.
fn read(path: &Path, max: u64) -> Result<Vec<u8>, SetUpError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).and_then(|file| file.take(max + 1).read_to_end(&mut bytes));
    file.map_err(|error| SetUpError::Configuration(format!("cannot read {}: {error}", path.display())))?;
    if bytes.len() as u64 > max {
        let (file, limit) = (path.display(), max / 1024);
        return Err(SetUpError::Configuration(format!("{file} is longer than {limit} KiB, so it is another file")));
    }
    Ok(bytes)
}
