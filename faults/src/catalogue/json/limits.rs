//! Faults in nesting limits and in parsing numbers of JSON.

use super::super::fault::{Fault, fault};
use super::pieces::{DEPTH, depth, each, flatten, is_number, mend, pieces, spoil};
use crate::message::{Operation, Request};

const MALFORMED: &[&str] = &["generate.json.malformed"];
const NUMBERS: &[&str] = &["generate.json.number-forms"];

/// Largest whole number that floating point represents exactly.
const EXACT: f64 = 1e15;

pub(super) const FAULTS: &[Fault] = &[
    // Fields nested this deeply are unknown or wrong anyway, so replacing them with plain values loses nothing.
    fault("json.depth-129", "The server accepts JSON nested one level deeper than the limit.", MALFORMED).request(
        |request, _| {
            mend(request, |text| if depth(text) == DEPTH + 1 { flatten(text, DEPTH) } else { text.to_owned() });
        },
    ),
    fault("json.any-depth", "The server sets no limit on nesting.", MALFORMED)
        .request(|request, _| mend(request, |text| flatten(text, DEPTH))),
    fault(
        "json.depth-16",
        "The server refuses JSON nested more than 16 levels deep.",
        &["generate.unknown-members.ignored"],
    )
    .request(|request, _| refuse(request, |text| depth(text) > 16)),
    fault("json.exponent-whole", "The server accepts a number with an exponent as an integer.", NUMBERS)
        .request(|request, _| mend(request, |text| each(text, without_exponent))),
    fault("json.big-is-malformed", "The server treats integers beyond 64 bits as malformed JSON.", NUMBERS)
        .request(|request, _| refuse(request, |text| pieces(text).into_iter().any(is_beyond_64_bits))),
    fault("json.leading-zero", "The server accepts numbers with leading zeros.", MALFORMED)
        .request(|request, _| mend(request, |text| each(text, without_zeros))),
];

fn refuse(request: &mut Request, is_refused: impl FnOnce(&str) -> bool) {
    if request.is(Operation::Generate) && std::str::from_utf8(&request.body).is_ok_and(is_refused) {
        spoil(request);
    }
}

fn without_exponent(piece: &str) -> String {
    let value = piece.parse::<f64>().ok().filter(|_| is_number(piece) && piece.contains(['e', 'E']));
    match value.filter(|value| value.fract() == 0.0 && value.abs() < EXACT) {
        Some(value) => format!("{value:.0}"),
        None => piece.to_owned(),
    }
}

fn is_beyond_64_bits(piece: &str) -> bool {
    let digits = piece.trim_start_matches('-');
    let is_integer = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_integer && piece.parse::<i64>().is_err() && piece.parse::<u64>().is_err()
}

fn without_zeros(piece: &str) -> String {
    let (sign, digits) = piece.split_at(usize::from(piece.starts_with('-')));
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    // The last digits may be the whole number or the part before its point.
    let is_needed = |at: usize| !digits[at..].starts_with(|letter: char| letter.is_ascii_digit());
    let cut = zeros - usize::from(zeros > 0 && is_needed(zeros));
    if is_number(piece) { format!("{sign}{}", &digits[cut..]) } else { piece.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_otherwise() {
        assert_eq!(
            ["3e2", "30000e-2", "-1E1", "5e-1", "e1", "12"].map(without_exponent),
            ["300", "300", "-10", "5e-1", "e1", "12"]
        );
        assert_eq!(
            ["01", "-007", "0", "00.5", "0.5", "10", "x0"].map(without_zeros),
            ["1", "-7", "0", "0.5", "0.5", "10", "x0"]
        );
        assert!(is_beyond_64_bits("123456789012345678901") && !is_beyond_64_bits("18446744073709551615"));
    }
}
