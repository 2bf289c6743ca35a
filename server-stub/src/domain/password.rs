//! Rules for new passwords, as a pure decision: their length, and how much of them an attacker has to guess.

use super::unicode_form::composed;
use super::user::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};

/// Words that attackers try first, in lower case.
const COMMON_WORDS: &str = "abc access admin administrator autumn baseball basketball batman changeme charlie cheese computer contrasena \
    dashboard default dragon flower football freedom guest hallo hello hunter iloveyou internet jordan letmein \
    login love master michael monkey motdepasse mustang ninja pass passwort password pokemon princess root \
    secret shadow soccer spring starwars summer sunshine superman test trustno1 user welcome whatever winter \
    word wachtwoord zaq";
/// Rows of characters that are sequences in both directions: the alphabet, digits and rows of keyboards.
const ROWS: [&str; 7] =
    ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm"];
/// Minimum length of a sequence, a repetition or a name in characters.
const MIN_PART_CHARS: usize = 3;

/// Returns why a password cannot be used, or `None` if it can. `names` are texts that an attacker knows of the user.
pub fn weakness(password: &str, email: &str, names: &[&str]) -> Option<&'static str> {
    let length = password.chars().count();
    if length < MIN_PASSWORD_CHARS {
        return Some("must have at least 12 characters");
    }
    if length > MAX_PASSWORD_CHARS {
        return Some("must have at most 128 characters");
    }
    let folded = composed(password).to_lowercase();
    let user = email.split('@').next().unwrap_or_default();
    if folded.contains(email) || (user.chars().count() > MIN_PART_CHARS && folded.contains(user)) {
        return Some("must not contain the e-mail address");
    }
    let names: String = names.join(" ").to_lowercase() + " " + email;
    let is_long = |word: &&str| word.chars().count() >= MIN_PART_CHARS;
    let names = names.split(|letter: char| !letter.is_alphanumeric()).filter(is_long);
    let words: Vec<Vec<char>> = COMMON_WORDS.split(' ').chain(names).map(|word| word.chars().collect()).collect();
    let folded: Vec<char> = folded.chars().collect();
    (surprises(&folded, &words) < MIN_PASSWORD_CHARS).then_some(
        "is easy to guess: common words, sequences such as 123, repetitions and your own names count as one character; add other words",
    )
}

/// Returns the number of characters, where each part that an attacker tries as a whole counts as one.
fn surprises(password: &[char], words: &[Vec<char>]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < password.len() {
        at += predictable(password, at, words).unwrap_or(1);
        count += 1;
    }
    count
}

/// Returns the length of the longest predictable part that begins at `at`: a word, a sequence, or a repetition of something before.
fn predictable(password: &[char], at: usize, words: &[Vec<char>]) -> Option<usize> {
    let rest = &password[at..];
    let is_word = |word: &&Vec<char>| {
        rest.len() >= word.len()
            && word.iter().zip(rest).all(|(letter, typed)| letter == typed || *letter == plain(*typed))
    };
    let word = words.iter().filter(is_word).map(Vec::len).max();
    let is_row = |part: &[char]| {
        let (forward, backward): (String, String) = (part.iter().collect(), part.iter().rev().collect());
        ROWS.iter().any(|row| row.contains(&forward) || row.contains(&backward))
    };
    let is_repeated = |part: &[char]| password[..at + part.len() - 1].windows(part.len()).any(|former| former == part);
    let longest = |is_one: &dyn Fn(&[char]) -> bool| {
        (MIN_PART_CHARS..=rest.len()).take_while(|length| is_one(&rest[..*length])).last()
    };
    [word, longest(&is_row), longest(&is_repeated)].into_iter().flatten().max()
}

/// Returns the letter that a look-alike stands for.
const fn plain(typed: char) -> char {
    match typed {
        '@' | '4' => 'a',
        '3' => 'e',
        '1' | '!' => 'i',
        '0' => 'o',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_weak(password: &str) -> bool {
        weakness(password, "ada@example.com", &["Bakery Miller"]).is_some()
    }

    #[test]
    fn what_attackers_try_first_is_refused() {
        for password in [
            "passwordpassword",
            "Password12345!",
            "P@ssw0rdP@ssw0rd",
            "qwertyuiop12",
            "abcdefghijklmnop",
            "987654321098",
            "aaaaaaaaaaaaaaaa",
            "abababababababab",
            "letmeinletmein1",
            "Summer2024Winter",
            "bluebirdbluebird",
            "millermillermiller",
            "Bakery-Miller-1!",
            "exampleexample1",
            "short",
            "ada@example.com and more",
        ] {
            assert!(is_weak(password), "{password}");
        }
        assert!(is_weak(&"a long sentence ".repeat(9)), "129 characters or more");
    }

    #[test]
    fn sentences_and_random_characters_are_accepted() {
        for password in [
            "a long walk to the caf\u{e9}",
            "correct horse battery staple",
            "vT8#qLz!m2Xp",
            "kein Brot ohne Mehl",
            "a password with six more words",
        ] {
            assert_eq!(weakness(password, "ada@example.com", &["Bakery Miller"]), None, "{password}");
        }
    }

    proptest! {
        #[test]
        fn repeating_a_short_text_makes_no_password(text in "[ -~]{1,9}", times in 2..12_usize) {
            prop_assert!(is_weak(&text.repeat(times)), "{}", text);
        }
    }
}
