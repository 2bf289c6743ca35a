//! Randomness from the operating system: idempotency keys, and the jitter of retries.

/// A version 4 UUID, or nothing where the operating system gives no randomness.
pub(crate) fn uuid() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for nibble in [byte >> 4, byte & 0x0f] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    Some(text)
}

/// A number from 0 up to, not including, 1; the middle where the operating system gives no randomness.
pub(crate) fn fraction() -> f64 {
    getrandom::u32().map_or(0.5, |drawn| f64::from(drawn) / (f64::from(u32::MAX) + 1.0))
}
