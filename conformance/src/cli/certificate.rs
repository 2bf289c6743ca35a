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

/// Checks before a run that its certificate can be written: the file is new, or an earlier certificate. The error is one sentence.
pub(super) fn check(file: &Path) -> Result<(), SetUpError> {
    if file.exists() {
        parse(file)?;
        return Ok(());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() {
        return Ok(());
    }
    Err(SetUpError::Configuration(format!(
        "there is no folder {} for the certificate: make it first",
        folder.display()
    )))
}

fn parse(file: &Path) -> Result<Certificate, SetUpError> {
    serde_json::from_slice(&read(file, MAX_CERTIFICATE)?).map_err(|error| {
        let file = file.display();
        SetUpError::Configuration(format!("{file} is not a certificate: {error}; `run --certificate FILE` writes one"))
    })
}

/// Compares a certificate with a report, a document and the requirements of this suite. The error is one sentence.
pub(super) fn verify(arguments: &VerifyArguments, output: &mut impl Write) -> Result<Exit, SetUpError> {
    let certificate = parse(&arguments.certificate)?;
    let document = match &arguments.document {
        Some(file) => read(file, MAX_DOCUMENT)?,
        None => Document::embedded_text().as_bytes().to_vec(),
    };
    let objections = certificate.objections(&arguments.report, &document, &catalogue());
    let objections = objections.map_err(|error| SetUpError::Configuration(error.to_string()))?;
    // A closed pipe must not turn a verdict into a crash.
    for objection in &objections {
        let _ = writeln!(output, "Not valid: {}", on_one_line(objection));
    }
    if !objections.is_empty() {
        return Ok(Exit::NotConformant);
    }
    let Certificate { profile, requirements, document_version, declared_version, suite_version, .. } = &certificate;
    let document = on_one_line(declared_version.as_ref().unwrap_or(document_version));
    let suite = on_one_line(suite_version);
    let _ = writeln!(
        output,
        "Valid: the report shows a server that conforms to the {profile} profile of document {document}, by {requirements} requirements of suite {suite}"
    );
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
