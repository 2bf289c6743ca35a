//! Randomness: idempotency keys, and the jitter of retries. Nothing here is a secret: a key has to be no other call's key, and
//! counts for one account only.
//!
//! The standard library seeds its hashers from the operating system, once for a thread, and makes each one differ from the ones
//! before. That gives as many bits as are needed without asking the system at every call, and without another crate.

use std::hash::{BuildHasher as _, RandomState};
use std::time::SystemTime;

use crate::clock;

/// A version 4 UUID (RFC 9562 section 5.4).
pub(crate) fn uuid() -> String {
    let [high, low] = bits();
    let bits = (u128::from(high) << 64) | u128::from(low);
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let mut text = [b'-'; 36];
    let places = (0..36).filter(|at| !matches!(at, 8 | 13 | 18 | 23));
    let digits = (0..32).rev().map(|digit| (bits >> (4 * digit)) as usize & 0xf);
    for (place, digit) in places.zip(digits) {
        text[place] = b"0123456789abcdef"[digit];
    }
    String::from_utf8(text.to_vec()).expect("digits are ASCII")
}

/// A number from 0 up to, not including, 1.
pub(crate) fn fraction() -> f64 {
    let [bits, _] = bits();
    f64::from((bits >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
}

/// 128 random bits. A process that was forked has its parent's seed, but not its time.
fn bits() -> [u64; 2] {
    let time = clock::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let hasher = RandomState::new();
    [0_u8, 1].map(|half| hasher.hash_one((half, time)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{fraction, uuid};

    #[test]
    fn keys_are_uuids_and_differ_on_all_threads() {
        let threads: Vec<_> =
            (0..4).map(|_| std::thread::spawn(|| (0..5_000).map(|_| uuid()).collect::<Vec<_>>())).collect();
        let keys: Vec<String> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        for key in &keys {
            let groups: Vec<&str> = key.split('-').collect();
            assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{key}");
            assert!(groups[2].starts_with('4') && groups[3].starts_with(['8', '9', 'a', 'b']), "{key}");
            assert!(key.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9' | b'a'..=b'f')), "{key}");
        }
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    }

    #[test]
    fn every_bit_of_a_key_that_may_change_does() {
        let bits = || u128::from_str_radix(&uuid().replace('-', ""), 16).unwrap();
        let first = bits();
        let changed = (0..256).fold(0, |changed, _| changed | (first ^ bits()));
        assert_eq!(changed, !((0xf << 76) | (0x3 << 62)));
    }

    #[test]
    fn fractions_lie_from_0_to_1_and_on_both_halves() {
        let drawn: Vec<f64> = (0..256).map(|_| fraction()).collect();
        assert!(drawn.iter().all(|drawn| (0.0..1.0).contains(drawn)));
        assert!(drawn.iter().any(|drawn| *drawn < 0.5) && drawn.iter().any(|drawn| *drawn >= 0.5));
    }
}
