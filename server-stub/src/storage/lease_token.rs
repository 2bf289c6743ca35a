//! Tokens of claims.

use crate::domain::randomness::Randomness;

/// Returns a token that no other claim has.
pub(super) fn lease_token(randomness: &dyn Randomness) -> String {
    let mut bytes = [0; 16];
    randomness.fill(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid().simple().to_string()
}
