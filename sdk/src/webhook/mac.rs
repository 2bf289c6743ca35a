//! HMAC-SHA256: by ring, the library of rustls, which uses the processor's own instructions, or by a small portable library. Comparing is
//! up to the caller.

/// The length of an HMAC-SHA256, in bytes.
pub(super) const LENGTH: usize = 32;

/// Computes the code of a message in several parts.
#[cfg(all(feature = "rustls", not(target_family = "wasm")))]
pub(super) fn code(key: &[u8], parts: &[&[u8]]) -> [u8; LENGTH] {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, key);
    let mut context = ring::hmac::Context::with_key(&key);
    for part in parts {
        context.update(part);
    }
    *context.sign().as_ref().first_chunk().expect("an HMAC-SHA256 has 32 bytes")
}

#[cfg(any(not(feature = "rustls"), target_family = "wasm"))]
pub(super) use portable as code;

/// Computes the code with the portable library, at a third of the speed or less.
#[cfg(any(not(feature = "rustls"), target_family = "wasm", test))]
pub(super) fn portable(key: &[u8], parts: &[&[u8]]) -> [u8; LENGTH] {
    let mut code = hmac_sha256::HMAC::new(key);
    for part in parts {
        code.update(part);
    }
    code.finalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{code, portable};

    proptest! {
        #[test]
        fn both_come_to_the_same(key: Vec<u8>, parts: Vec<Vec<u8>>) {
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(code(&key, &parts), portable(&key, &parts));
        }
    }
}
