//! Hashes and verifies passwords with Argon2id, a few at a time: each takes tens of milliseconds and 19 MiB. A keyboard may compose
//! letters or not, so passwords are hashed in NFC (RFC 8265, section 4.2). `domain::password` decides which passwords are allowed.

use std::collections::HashMap;
use std::fmt;

use argon2::password_hash::PasswordHasher as _;
use argon2::{Argon2, PasswordHash as ParsedHash};
use zeroize::Zeroizing;

use super::turns::{Busy, Place, Turns};
use crate::domain::randomness::Randomness;
use crate::domain::unicode_form::composed;
use crate::domain::user::{MAX_PASSWORD_CHARS, PasswordHash};

/// Maximum number of passwords that are hashed at a time.
const AT_ONCE: usize = 2;
/// Maximum number of requests that wait for that. The last one waits for about a second.
const MAX_WAITING: usize = 32;

/// Hashes and verifies passwords.
pub struct PasswordHasher {
    turns: Turns,
    /// Hash to verify against if the user does not exist, so that the response takes as long as for a wrong password.
    decoy: PasswordHash,
}

impl fmt::Debug for PasswordHasher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PasswordHasher").finish_non_exhaustive()
    }
}

impl Default for PasswordHasher {
    fn default() -> Self {
        // Parameters of `Argon2::default`, and a hash that matches no known password.
        let decoy = "$argon2id$v=19$m=19456,t=2,p=1$ZGVjb3lkZWNveWRlY295$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        Self { turns: Turns::new(AT_ONCE, MAX_WAITING), decoy: PasswordHash(decoy.to_owned()) }
    }
}

impl PasswordHasher {
    /// Takes a place in the queue, if one is free.
    pub(super) fn place(&self) -> Result<HashingPlace<'_>, Busy> {
        Ok(HashingPlace { place: self.turns.place()?, decoy: &self.decoy })
    }
}

/// Place of a request in the queue of the hasher.
pub(super) struct HashingPlace<'h> {
    place: Place<'h>,
    decoy: &'h PasswordHash,
}

impl HashingPlace<'_> {
    /// Hashes a password with the salt of another user who has the same e-mail address, or with a new one. If users with one address
    /// share a salt, signing in takes the same time however many accounts they are in.
    pub(super) async fn hash(
        &self,
        password: Zeroizing<String>,
        other: Option<&PasswordHash>,
        randomness: &dyn Randomness,
    ) -> PasswordHash {
        let mut new = [0_u8; 16];
        randomness.fill(&mut new);
        let salt = other.and_then(salt_of).unwrap_or_else(|| new.to_vec());
        self.place.run(move || hashed(&password, &salt)).await
    }

    /// Returns the index of the first hash that the password matches. Without a hash returns `None` after the same time.
    pub(super) async fn find(&self, password: Zeroizing<String>, hashes: Vec<PasswordHash>) -> Option<usize> {
        // No user has a longer password, and the cost grows with the length.
        let password = if password.chars().count() > MAX_PASSWORD_CHARS { Zeroizing::default() } else { password };
        let is_known = !hashes.is_empty();
        let hashes = if is_known { hashes } else { vec![self.decoy.clone()] };
        let found = self.place.run(move || {
            let mut computed: HashMap<Vec<u8>, PasswordHash> = HashMap::new();
            hashes.iter().position(|hash| {
                salt_of(hash).is_some_and(|salt| {
                    *hash == *computed.entry(salt).or_insert_with_key(|salt| hashed(&password, salt))
                })
            })
        });
        found.await.filter(|_| is_known)
    }
}

/// Returns the salt of a hash.
fn salt_of(hash: &PasswordHash) -> Option<Vec<u8>> {
    Some(ParsedHash::new(&hash.0).ok()?.salt?.to_vec())
}

fn hashed(password: &str, salt: &[u8]) -> PasswordHash {
    let password = Zeroizing::new(composed(password).into_owned());
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), salt);
    PasswordHash(hash.expect("16 bytes are a salt, and the parameters are the library's own").to_string())
}
