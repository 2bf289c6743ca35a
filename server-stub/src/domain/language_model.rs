//! Language models: the operator's API key, which is never shown, and the use and cost of requests.

use std::fmt;

use zeroize::Zeroizing;

/// Microdollars in a US dollar.
const MICRODOLLARS: u64 = 1_000_000;
/// Nanodollars in a microdollar.
const NANODOLLARS: u64 = 1000;

/// Sums of the use of a language model, failed attempts included.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelUsage {
    /// Writer of the last request, as in the article's `generator`; empty without requests.
    pub writer: String,
    /// Number of requests sent.
    pub requests: u32,
    /// Number of requests without a reply, or refused by the model.
    pub failed_requests: u32,
    /// Number of tokens that the model read.
    pub input_tokens: u64,
    /// Number of tokens that the model wrote.
    pub output_tokens: u64,
    /// Cost of the requests with a known price, in billionths of a US dollar; `None` if no price is known.
    pub cost_nanodollars: Option<u64>,
    /// True if some token counts are estimated from the length of the texts, because the endpoint did not report them.
    pub is_estimated: bool,
}

impl ModelUsage {
    /// Returns true if no request was sent.
    pub const fn is_empty(&self) -> bool {
        self.requests == 0
    }

    /// Adds a later use.
    pub fn add(&mut self, later: &Self) {
        if !later.writer.is_empty() {
            self.writer.clone_from(&later.writer);
        }
        self.requests = self.requests.saturating_add(later.requests);
        self.failed_requests = self.failed_requests.saturating_add(later.failed_requests);
        self.input_tokens = self.input_tokens.saturating_add(later.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(later.output_tokens);
        self.cost_nanodollars = match (self.cost_nanodollars, later.cost_nanodollars) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self.is_estimated |= later.is_estimated;
    }

    /// Returns the cost in US dollars; 0 if no price is known.
    #[expect(clippy::cast_precision_loss, reason = "a sum of billionths is exact up to nine million dollars")]
    pub fn cost_dollars(&self) -> f64 {
        self.cost_nanodollars.unwrap_or_default() as f64 / 1e9
    }

    /// Returns the cost in US dollars with four decimals, rounded up, such as `0.0123`; `None` if no price is known.
    pub fn cost(&self) -> Option<String> {
        let tenths_of_mills = self.cost_nanodollars?.div_ceil(100 * NANODOLLARS);
        Some(format!("{}.{:04}", tenths_of_mills / 10_000, tenths_of_mills % 10_000))
    }
}

/// Prices of a model, in millionths of a US dollar per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrices {
    /// Price of input tokens.
    pub input: u64,
    /// Price of output tokens.
    pub output: u64,
}

impl ModelPrices {
    /// Maximum price of a million tokens, in US dollars.
    pub const MAX_DOLLARS: u64 = 10_000;

    /// Reads a price such as `2`, `2.5` or `0.075`: US dollars per million tokens, with at most six decimals.
    pub fn parse_one(text: &str) -> Option<u64> {
        let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let are_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || fraction.len() > 6 || !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let micros = format!("{fraction:0<6}").parse::<u64>().ok()?;
        let price = whole.parse::<u64>().ok()?.checked_mul(MICRODOLLARS)?.checked_add(micros)?;
        (price <= Self::MAX_DOLLARS * MICRODOLLARS).then_some(price)
    }

    /// Returns the cost of these tokens in billionths of a US dollar, rounded up.
    pub const fn cost(&self, input_tokens: u64, output_tokens: u64) -> u64 {
        let input = input_tokens.saturating_mul(self.input);
        let output = output_tokens.saturating_mul(self.output);
        input.saturating_add(output).div_ceil(MICRODOLLARS / NANODOLLARS)
    }
}

/// An API key for a language model.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelKey(Zeroizing<String>);

impl ModelKey {
    /// Maximum length of a key.
    pub const MAX_CHARS: usize = 1000;

    /// Reads a key and trims white space. `None` if the key cannot be part of an HTTP header.
    pub fn parse(text: &str) -> Option<Self> {
        let key = text.trim();
        let is_key = (1..=Self::MAX_CHARS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| Self(Zeroizing::new(key.to_owned())))
    }

    /// Returns the key itself, for the request header.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ModelKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ModelKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_to_the_millionth() {
        for (text, price) in [("2", 2_000_000), ("2.5", 2_500_000), (" 0.075 ", 75_000), ("0", 0), ("0.000001", 1)] {
            assert_eq!(ModelPrices::parse_one(text), Some(price), "{text}");
        }
        for text in ["", ".5", "-1", "1e3", "0.0000001", "10001", "2,5", "99999999999999999999"] {
            assert_eq!(ModelPrices::parse_one(text), None, "{text}");
        }
    }

    #[test]
    fn a_million_tokens_cost_their_price() {
        let prices = ModelPrices { input: 2_500_000, output: 10_000_000 };
        let usage = ModelUsage { cost_nanodollars: Some(prices.cost(1_000_000, 100_000)), ..ModelUsage::default() };
        assert_eq!(usage.cost().as_deref(), Some("3.5000"));
        assert_eq!(prices.cost(1, 0), 2500);
        let cheapest = ModelPrices { input: 1, output: 0 };
        assert_eq!(cheapest.cost(1, 0), 1, "what was used is never free by rounding");
    }

    #[test]
    fn sums_keep_what_is_known() {
        let mut sum = ModelUsage::default();
        sum.add(&ModelUsage {
            writer: "llm:openai/a".to_owned(),
            requests: 1,
            input_tokens: 3,
            ..ModelUsage::default()
        });
        sum.add(&ModelUsage { requests: 1, cost_nanodollars: Some(5), is_estimated: true, ..ModelUsage::default() });
        assert_eq!((sum.writer.as_str(), sum.requests, sum.input_tokens), ("llm:openai/a", 2, 3));
        assert_eq!((sum.cost_nanodollars, sum.is_estimated), (Some(5), true));
    }
}
