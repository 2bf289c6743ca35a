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
    let bits = (u128::from(bits()) << 64) | u128::from(bits());
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let digits = format!("{bits:032x}");
    let mut text = String::with_capacity(36);
    for (at, digit) in digits.chars().enumerate() {
        if matches!(at, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

/// A number from 0 up to, not including, 1.
pub(crate) fn fraction() -> f64 {
    f64::from((bits() >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
}

/// 64 random bits. A process that was forked has its parent's seed, but neither its number nor its time.
fn bits() -> u64 {
    let time = clock::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    RandomState::new().hash_one((std::process::id(), time))
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
