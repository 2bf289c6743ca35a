//! Random numbers of the operating system, for idempotency keys and the jitter of retries. Each number is requested separately, so that
//! forked processes and cloned machines get different ones.

use crate::platform::random_bits;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Makes a version 4 UUID (RFC 9562 section 5.4), in ASCII; `None` if the system has no random numbers: a key that another call may also
/// have is worse than none.
pub(crate) fn uuid() -> Option<[u8; 36]> {
    let bits = random_bits()?;
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let mut text = [b'-'; 36];
    let mut place = 0;
    for (index, byte) in bits.to_be_bytes().into_iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            place += 1;
        }
        text[place] = DIGITS[usize::from(byte >> 4)];
        text[place + 1] = DIGITS[usize::from(byte & 0xf)];
        place += 2;
    }
    Some(text)
}

/// Returns a number from 0 up to, not including, 1; 0.5 if the system has no random numbers.
pub(crate) fn fraction() -> f64 {
    random_bits().map_or(0.5, |bits| f64::from((bits >> 96) as u32) / (f64::from(u32::MAX) + 1.0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::fraction;

    fn uuid() -> String {
        String::from_utf8(super::uuid().unwrap().to_vec()).unwrap()
    }

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
