//! Decides whether a hook was signed with one of the secrets, recently.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::HeaderMap;
use subtle::{Choice, ConstantTimeEq as _};

use super::error::{SecretError, VerifyError};
use super::secret::Secret;
use super::signature;
use super::verified::Verified;
use crate::platform;

/// Verifies hooks by the Standard Webhooks signature `v1`: HMAC-SHA256 over `{id}.{timestamp}.{body}`.
///
/// During a rotation, pass the new secret and the old one: a hook that matches either is accepted.
///
/// ```
/// # fn main() -> Result<(), contentgen_sdk::webhook::SecretError> {
/// use std::time::Duration;
/// use contentgen_sdk::webhook::Verifier;
///
/// let (new, old) = ("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
/// let verifier = Verifier::new([new, old])?.tolerance(Duration::from_secs(120));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Verifier {
    secrets: Vec<Secret>,
    tolerated_past: Duration,
    tolerated_future: Duration,
}

impl Verifier {
    /// Makes a verifier for the secrets of one endpoint, in the form of the dashboard: `whsec_…`.
    ///
    /// # Errors
    ///
    /// [`SecretError`] if there is no secret, or one is not base64 or too short to be safe.
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Result<Self, SecretError> {
        let secrets =
            secrets.into_iter().map(|secret| Secret::parse(secret.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if secrets.is_empty() {
            return Err(SecretError::None);
        }
        let tolerance = Duration::from_secs(5 * 60);
        Ok(Self { secrets, tolerated_past: tolerance, tolerated_future: tolerance })
    }

    /// Maximum difference between the time of signing and now, in both directions; 5 minutes unless set.
    #[must_use]
    pub fn tolerance(self, tolerance: Duration) -> Self {
        self.tolerances(tolerance, tolerance)
    }

    /// Sets different tolerances for the past and the future.
    #[must_use]
    pub fn tolerances(mut self, past: Duration, future: Duration) -> Self {
        self.tolerated_past = past;
        self.tolerated_future = future;
        self
    }

    /// Verifies a hook that was received now.
    ///
    /// # Errors
    ///
    /// [`VerifyError`] if the hook is invalid.
    pub fn verify(&self, headers: &HeaderMap, body: &[u8]) -> Result<Verified, VerifyError> {
        self.verify_at(headers, body, platform::now())
    }

    /// Verifies a hook that was received at a given time.
    ///
    /// # Errors
    ///
    /// [`VerifyError`] if the hook is invalid.
    pub fn verify_at(&self, headers: &HeaderMap, body: &[u8], now: SystemTime) -> Result<Verified, VerifyError> {
        let (id, signed_at) = self.check(headers, body, now)?;
        Ok(Verified::new(id, signed_at, Bytes::copy_from_slice(body)))
    }

    /// Verifies a hook and returns its id and the time when it was signed.
    pub(super) fn check<'h>(
        &self,
        headers: &'h HeaderMap,
        body: &[u8],
        now: SystemTime,
    ) -> Result<(&'h str, SystemTime), VerifyError> {
        let id = signature::id(headers)?;
        let (timestamp, seconds) = signature::timestamp(headers)?;
        let candidates = signature::signatures(headers)?;
        // Not every platform can represent every time with 12 digits.
        let signed_at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        let signed_at = signed_at.ok_or(VerifyError::InvalidHeader(signature::TIMESTAMP))?;
        // Compares every candidate with every secret's signature, so that the duration reveals nothing about either.
        let mut fits = Choice::from(0);
        for secret in &self.secrets {
            let expected = secret.sign(id, timestamp, body);
            for candidate in &candidates {
                fits |= expected.ct_eq(candidate);
            }
        }
        if !bool::from(fits) {
            return Err(VerifyError::NoMatchingSignature);
        }
        if now.duration_since(signed_at).is_ok_and(|age| age > self.tolerated_past) {
            return Err(VerifyError::TooOld);
        }
        if signed_at.duration_since(now).is_ok_and(|ahead| ahead > self.tolerated_future) {
            return Err(VerifyError::TooNew);
        }
        Ok((id, signed_at))
    }
}
