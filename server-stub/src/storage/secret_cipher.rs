//! Seals secrets that must be read again: `XChaCha20-Poly1305` under a key that is not in the database, bound to the record
//! that they belong to. Texts that only need to be recognised are stored as pseudonyms under the same key. `secret_key`
//! provides the key.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::domain::hook::{HookSecret, UnreadableSecret};
use crate::domain::randomness::Randomness;

use super::SecretKey;

/// Prefix of a sealed secret; another format would have another number.
const VERSION: &str = "v1.";
/// Size of a nonce in bytes. Random nonces of this size do not repeat.
const NONCE: usize = 24;
/// Label for deriving the pseudonym key from the sealing key. A change of the label changes all pseudonyms.
const PSEUDONYM_LABEL: &[u8] = b"contentgen pseudonyms";

/// Seals and opens secrets, and makes pseudonyms.
pub(super) struct SecretCipher {
    cipher: XChaCha20Poly1305,
    key: SecretKey,
    pseudonyms: Hmac<Sha256>,
    randomness: Arc<dyn Randomness>,
}

impl SecretCipher {
    /// Returns a cipher with that key, and nonces from `randomness`.
    pub(super) fn new(key: &SecretKey, randomness: Arc<dyn Randomness>) -> Self {
        let pseudonyms = Hmac::<Sha256>::new_from_slice(&key.derive(PSEUDONYM_LABEL));
        let pseudonyms = pseudonyms.expect("HMAC takes a key of any length");
        Self { cipher: XChaCha20Poly1305::new(key.bytes().into()), key: key.clone(), pseudonyms, randomness }
    }

    /// Returns the secret for a purpose.
    pub(super) fn derived_secret(&self, purpose: &str) -> [u8; 32] {
        self.key.derive(format!("contentgen {purpose}").as_bytes())
    }

    /// Returns the pseudonym of `text`: the same in all processes with this key, and not reversible without it.
    pub(super) fn pseudonym(&self, text: &str) -> String {
        STANDARD.encode(self.pseudonyms.clone().chain_update(text).finalize().into_bytes())
    }

    /// Seals the secret of `owner` for the database.
    pub(super) fn seal(&self, owner: &str, secret: &HookSecret) -> String {
        let mut nonce = [0; NONCE];
        self.randomness.fill(&mut nonce);
        let text = secret.reveal();
        let payload = Payload { msg: text.as_bytes(), aad: owner.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).expect("so short a text can always be sealed");
        format!("{VERSION}{}", STANDARD.encode([&nonce[..], &sealed].concat()))
    }

    /// Opens the sealed secret of `owner`.
    pub(super) fn open(&self, owner: &str, sealed: &str) -> Result<HookSecret, UnreadableSecret> {
        let open = || {
            let bytes = STANDARD.decode(sealed.strip_prefix(VERSION)?).ok()?;
            let (nonce, sealed) = bytes.split_at_checked(NONCE)?;
            let nonce = <[u8; NONCE]>::try_from(nonce).ok()?;
            let payload = Payload { msg: sealed, aad: owner.as_bytes() };
            let opened = self.cipher.decrypt(&XNonce::from(nonce), payload).ok()?;
            HookSecret::parse(str::from_utf8(&opened).ok()?)
        };
        open().ok_or(UnreadableSecret)
    }
}

impl fmt::Debug for SecretCipher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretCipher(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    /// Returns different bytes each time.
    #[derive(Debug, Default)]
    struct Counter(AtomicU8);

    impl Randomness for Counter {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, Ordering::Relaxed));
        }
    }

    fn cipher(randomness: &Arc<Counter>) -> SecretCipher {
        SecretCipher::new(&SecretKey::generate(&**randomness), Arc::clone(randomness) as _)
    }

    #[test]
    fn a_secret_opens_for_its_owner_and_with_its_key_only() {
        let randomness = Arc::<Counter>::default();
        let (one, secret) = (cipher(&randomness), HookSecret::generate(&*randomness));
        let sealed = one.seal("hook_1", &secret);
        assert!(!sealed.contains(&secret.reveal()) && sealed != one.seal("hook_1", &secret));
        assert_eq!(one.open("hook_1", &sealed).unwrap(), secret);
        assert!(one.open("hook_2", &sealed).is_err());
        assert!(cipher(&randomness).open("hook_1", &sealed).is_err());
        let mut spoiled = sealed.into_bytes();
        let last = spoiled.len() - 4;
        spoiled[last] ^= 1;
        assert!(one.open("hook_1", &String::from_utf8(spoiled).unwrap()).is_err());
    }

    #[test]
    fn a_pseudonym_is_the_same_under_one_key_and_another_under_another() {
        let randomness = Arc::<Counter>::default();
        let one = cipher(&randomness);
        assert_eq!(one.pseudonym("192.0.2.7"), one.pseudonym("192.0.2.7"));
        assert_ne!(one.pseudonym("192.0.2.7"), one.pseudonym("192.0.2.8"));
        assert_ne!(one.pseudonym("192.0.2.7"), cipher(&randomness).pseudonym("192.0.2.7"));
    }

    #[test]
    fn a_secret_that_was_not_sealed_is_unreadable() {
        let randomness = Arc::<Counter>::default();
        let secret = HookSecret::generate(&*randomness);
        assert!(cipher(&randomness).open("hook_1", &secret.reveal()).is_err());
    }
}
