//! The key that seals secrets, from the environment or from a file that is created at the first start. `secret_cipher` seals.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::domain::randomness::Randomness;

use super::OpenError;

/// A key of 32 random bytes, written as base64.
#[derive(Clone)]
pub struct SecretKey(Zeroizing<[u8; 32]>);

impl SecretKey {
    /// Returns a new key.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        randomness.fill(&mut *bytes);
        Self(bytes)
    }

    /// Parses base64 of 32 bytes; ignores surrounding white space.
    pub fn parse(text: &str) -> Option<Self> {
        STANDARD.decode(text.trim()).ok()?.try_into().ok().map(|bytes| Self(Zeroizing::new(bytes)))
    }

    /// Returns the key's bytes.
    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the secret for a purpose: the first 32 bytes of HKDF-Expand with SHA-256 (RFC 5869, section 2.3). The key is random,
    /// so it needs no extraction (section 3.3).
    pub(super) fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        let mac = Hmac::<Sha256>::new_from_slice(&*self.0).expect("HMAC takes a key of any length");
        mac.chain_update(purpose).chain_update([1]).finalize().into_bytes().into()
    }

    /// Returns a value that proves the key without revealing it. The database stores it.
    pub(super) fn check(&self) -> [u8; 32] {
        self.derive(b"contentgen secret key check")
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(…)")
    }
}

/// Location of the key.
#[derive(Debug, Clone)]
pub enum SecretKeySource {
    /// The key itself.
    Given(SecretKey),
    /// The path of a file. It is created if the database has no secrets yet.
    File(PathBuf),
}

impl SecretKeySource {
    /// Returns the key for a database with the check `check`, or without one yet.
    pub(super) fn key(&self, check: Option<[u8; 32]>, randomness: &dyn Randomness) -> Result<SecretKey, OpenError> {
        let key = match self {
            Self::Given(key) => key.clone(),
            Self::File(path) => read(path, check.is_some(), randomness)?,
        };
        match check {
            Some(check) if check != key.check() => Err(OpenError::WrongSecretKey),
            _ => Ok(key),
        }
    }
}

fn read(path: &Path, is_needed: bool, randomness: &dyn Randomness) -> Result<SecretKey, OpenError> {
    let failure = |error: io::Error| OpenError::SecretKeyFile { path: path.to_owned(), source: error };
    match fs::read_to_string(path) {
        Ok(text) => SecretKey::parse(&text).ok_or_else(|| OpenError::NoSecretKey { path: path.to_owned() }),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(error)),
        Err(_) if is_needed => Err(OpenError::LostSecretKey { path: path.to_owned() }),
        Err(_) => {
            match make(path, randomness) {
                // Another process created the file first, so use its key.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read(path, true, randomness),
                Err(error) => Err(failure(error)),
                Ok(key) => Ok(key),
            }
        }
    }
}

/// Creates the file, readable only by its owner. It appears when it is complete.
fn make(path: &Path, randomness: &dyn Randomness) -> io::Result<SecretKey> {
    let key = SecretKey::generate(randomness);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{}", STANDARD.encode(key.bytes()))?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_derived_as_in_the_first_test_case_of_rfc_5869() {
        let bytes = |hex: &str| {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect::<Vec<_>>()
        };
        let extracted = bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        let key = SecretKey(Zeroizing::new(extracted.try_into().unwrap()));
        let expected = bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
        assert_eq!(key.derive(&bytes("f0f1f2f3f4f5f6f7f8f9")).as_slice(), expected);
    }
}
