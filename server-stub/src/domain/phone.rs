//! Telephone numbers as visitors type them.

use super::personal::Personal;

/// Minimum number of digits, with the code of the country. Shorter numbers are dialled only within a country.
const MIN_DIGITS: usize = 7;

/// Returns a number in E.164, if it begins with `+` or `00` and the code of its country. Leaves out a prefix that is dialled only within
/// that country, and an extension. Guesses no country: a visitor may be in another one than the website.
pub fn to_e164(typed: &str) -> Option<Personal<String>> {
    let plain: String = typed.chars().map(plain).collect();
    let digits: Vec<char> = plain.chars().filter(char::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|digit| **digit == '0').count();
    // The library leaves out any zeros before the code of a country, and reads ten and eleven digits as a number of the United States.
    let is_international =
        if plain.contains('+') { zeros == 0 || zeros == 2 } else { zeros == 2 && plain.trim_start().starts_with("00") };
    let number = if is_international { phonelib::normalize_phone_number(&plain) } else { None }?;
    // The library reads letters as the digits on their keys. They are so only in North America; elsewhere they are a note.
    let has_typed_digits = number.starts_with("+1") || is_part(&number[1..], &digits);
    (number.len() > MIN_DIGITS && has_typed_digits).then(|| number.into())
}

/// Returns true if `digits` has the digits of `number` in their order, perhaps with others between them.
fn is_part(number: &str, digits: &[char]) -> bool {
    let mut rest = digits.iter();
    number.chars().all(|digit| rest.any(|other| *other == digit))
}

/// Returns the ASCII form of digits and plus signs of full width, and of spaces and hyphens that the library does not know.
fn plain(letter: char) -> char {
    match letter {
        '\u{ff0b}' => '+',
        '\u{ff10}'..='\u{ff19}' => char::from_digit(u32::from(letter) - 0xff10, 10).unwrap_or(letter),
        '\u{2010}' | '\u{2011}' | '\u{2015}' => '-',
        space if space.is_whitespace() => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers that people and websites write, and what an exchange expects.
    const NUMBERS: [(&str, Option<&str>); 37] = [
        ("+44 (0)20 7946 0000", Some("+442079460000")),
        ("+44 (0) 20 7946 0000", Some("+442079460000")),
        ("+4402079460000", Some("+442079460000")),
        ("+44 20 7946 0000", Some("+442079460000")),
        ("0044 20 7946 0000", Some("+442079460000")),
        ("00 44 (0)20/7946-0000", Some("+442079460000")),
        ("(+44) 20 7946 0000", Some("+442079460000")),
        ("+44\u{a0}20\u{2011}7946\u{2013}0000", Some("+442079460000")),
        ("\u{ff0b}\u{ff14}\u{ff14} 20 7946 0000", Some("+442079460000")),
        ("tel:+44-20-7946-0000", Some("+442079460000")),
        (" +44 20 7946 0000 ext. 12 ", Some("+442079460000")),
        ("+44 20 7946 0000 x12", Some("+442079460000")),
        ("+49 (0)30 901820", Some("+4930901820")),
        ("+33 (0)1 42 68 53 00", Some("+33142685300")),
        ("+41 (0)44 668 18 00", Some("+41446681800")),
        ("+61 (0)2 9374 4000", Some("+61293744000")),
        ("+7 (8) 495 123-45-67", Some("+74951234567")),
        // The zero belongs to the number.
        ("+39 06 698 12345", Some("+390669812345")),
        ("+225 07 07 12 34 56", Some("+2250707123456")),
        ("+1 800 FLOWERS", Some("+18003569377")),
        ("020 7946 0000", None),
        ("202 555 0173", None),
        ("12025550173", None),
        ("+44 CALL", None),
        ("+98100 0", None),
        ("+0044 20 7946 0000", Some("+442079460000")),
        ("+020 7946 0000", None),
        ("000 44 20 7946 0000", None),
        ("0+44 20 7946 0000", None),
        // A note is no part of the number.
        ("+49 30 901820 home", None),
        ("+43 1 58858 after six", None),
        ("+999 123456", None),
        ("+44 20 7946 00001111", None),
        ("+44 20 7946 0000 or 7946 0001", None),
        ("++44 20 7946 0000", None),
        ("+", None),
        ("call me", None),
    ];

    fn e164(typed: &str) -> Option<String> {
        to_e164(typed).map(|number| number.to_string())
    }

    #[test]
    fn an_international_number_is_understood_however_people_write_it() {
        for (typed, expected) in NUMBERS {
            assert_eq!(e164(typed).as_deref(), expected, "{typed}");
        }
    }

    proptest! {
        #[test]
        fn a_result_is_e164_and_its_own_result(typed in prop_oneof![".{0,32}", "[+0-9 ().x/-]{0,32}", r"\+[1-9][0-9]{0,2} ?(\(0\))?[0-9 -]{5,14}"]) {
            if let Some(number) = e164(&typed) {
                let digits = number.strip_prefix('+').expect("it begins with +");
                prop_assert!((MIN_DIGITS..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()), "{number}");
                prop_assert_eq!(e164(&number), Some(number));
            }
        }

        #[test]
        fn a_note_gives_no_digits(country in 20_u32..99, digits in "[1-9][0-9]{5,10}", note in "[a-z ]{1,12}") {
            let (typed, noted) = (e164(&format!("+{country} {digits}")), e164(&format!("+{country} {digits} {note}")));
            prop_assert!(noted.is_none() || noted == typed, "{noted:?}");
        }

        #[test]
        fn a_number_without_the_code_of_its_country_is_not_understood(typed in "[1-9][0-9 ()-]{0,31}|0[1-9][0-9 ()-]{0,30}") {
            prop_assert_eq!(e164(&typed), None);
        }
    }
}
