//! Patterns that find claims. Words are English; numbers and quotation marks are of any language.

use std::sync::LazyLock;

use regex::Regex;

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

/// Verbs that introduce a citation. Base forms are missing, because they are instructions to the reader.
macro_rules! said {
    () => {
        "(?:says|said|tells|told|explains|explained|noted|claims|claimed|argues|argued|writes|wrote|warns|warned|believes|\
         believed|recalls|recalled|recommends|recommended|agrees|agreed|points out|pointed out)"
    };
}

/// Matches a number in digits of any script, with its currency or unit.
pub(super) static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\p{Sc}\s?|\b(?:USD|EUR|GBP|CHF|JPY)\s?)?",
        r"\p{N}+(?:[.,:'\u{2019}/\u{a0}\u{202f}]?\p{N}+)*",
        r"(?:\s?(?:\p{Sc}|%|\u{2030}|percent\b|per\scent\b|percentage\b|thousand\b|million\b|billion\b|trillion\b|bn\b|dollars?\b|euros?\b|pounds?\b))?",
    ))
});

/// Matches number words above ten, fractions and multiples, and small number words with money.
pub(super) static NUMBER_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    const SMALL: &str = "(?:one|two|three|four|five|six|seven|eight|nine|ten)";
    let alternatives = [
        r"(?:eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)".to_owned(),
        format!(r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[-\s]{SMALL})?"),
        r"(?:hundred|thousand|million|billion|trillion|dozen)s?".to_owned(),
        r"(?:percent|per\s+cent|percentage(?:\s+points?)?)".to_owned(),
        format!(r"{SMALL}\s+(?:out\s+of|in)\s+(?:every\s+)?{SMALL}"),
        r"half\s+of\s+(?:all|everyone|every|users?|people|consumers|customers|buyers|companies|businesses|adults|households|readers|shoppers)".to_owned(),
        r"(?:third|quarter|fifth|sixth|tenth)s?\s+of".to_owned(),
        r"(?:twice|thrice)\s+as".to_owned(),
        r"(?:two|three|four|five|ten|hundred)fold".to_owned(),
        format!(r"{SMALL}\s+times\s+(?:as|more|less|faster|slower|higher|lower|better|cheaper|longer|bigger|larger|greater|likelier)"),
        r"(?:doubled|tripled|quadrupled|halved)".to_owned(),
        format!(r"{SMALL}\s+(?:dollars?|euros?|pounds?|cents?)"),
    ];
    pattern(&format!(r"(?i)\b(?:{})\b", alternatives.join("|")))
});

/// Matches evidence such as studies and experts.
pub(super) static EVIDENCE: LazyLock<Regex> = LazyLock::new(|| {
    const WHO: &str = r"(?:stud(?:y|ies)|surveys?|polls?|reports?|research(?:ers?)?|experts?|scientists?|analysts?|specialists?|doctors?|economists?|psychologists?|historians?|statistics|stats|data|evidence|findings|figures|experiments?|trials?|science)";
    const DOES: &str = r"(?:show(?:s|n|ed|ing)?|suggest(?:s|ed)?|indicat(?:e|es|ed)|finds?|found|prov(?:e|es|ed|en)|reveal(?:s|ed)?|confirm(?:s|ed)?|demonstrat(?:e|es|ed)|conclud(?:e|es|ed)|agree[sd]?|say(?:s)?|said|recommend(?:s|ed)?|believe[sd]?|warn(?:s|ed)?|estimate[sd]?|claim(?:s|ed)?|report(?:s|ed)?|point(?:s|ed)?\s+to)";
    let alternatives = [
        format!(r"{WHO}\s+(?:(?:has|have|had|also|now|clearly|consistently|often|recently|all|from|by|at|in|of|the|a|(?-i:\p{{Lu}}[\p{{L}}.]*))\s+){{0,8}}{DOES}"),
        r"(?:a|an|one|another|recent|new|latest|many|several|numerous)\s+(?:recent\s+|new\s+|large\s+)?(?:study|studies|surveys?|polls?)".to_owned(),
        r"according\s+to\s+(?:(?:a|an|the|one|some|many|several|recent|new|leading)\s+)*(?:stud|survey|poll|report|research|expert|scientist|analyst|data|statistic|figure|estimate)\w*".to_owned(),
        r"(?:scientifically|clinically|statistically)\s+(?:proven|tested|shown|significant)".to_owned(),
        r"it\s+(?:is|has\s+been)\s+(?:proven|shown)\s+that".to_owned(),
    ];
    pattern(&format!(r"(?i)\b(?:{})\b", alternatives.join("|")))
});

/// Matches a named person who is cited.
pub(super) static ATTRIBUTION: LazyLock<Regex> = LazyLock::new(|| {
    const NAME: &str = r"\p{Lu}[\p{L}.'\u{2019}-]*";
    let said = said!();
    let alternatives = [
        format!(r"(?:Dr|Prof|Professor|Mr|Mrs|Ms|Sir|President|CEO)\b\.?\s+{NAME}"),
        format!(r"{NAME}(?:\s+{NAME})+(?:,[^,]{{1,60}},)?\s+{said}\b"),
        format!(r"\b{said}\s+{NAME}\s+{NAME}"),
        format!(r"(?i:according\s+to)\s+{NAME}"),
    ];
    pattern(&format!(r"\b(?:{})", alternatives.join("|")))
});

/// Matches a speech verb. A quotation beside it counts even if it is short.
pub(super) static SPEAKING: LazyLock<Regex> =
    LazyLock::new(|| pattern(concat!(r"(?i)\b", said!(), r"\b|\baccording\s+to\b")));

/// Normalises a number for comparison: ASCII digits, no white space, lower case, one name per unit.
pub(super) fn canonical_number(number: &str) -> String {
    let mut canonical = String::with_capacity(number.len());
    for character in number.chars().flat_map(char::to_lowercase).filter(|character| !character.is_whitespace()) {
        canonical.push(ascii_digit(character).unwrap_or(character));
    }
    canonical.replace("percentage", "%").replace("percent", "%").replace('\u{2019}', "'")
}

/// Converts a decimal digit of another script to ASCII. Each script has ten consecutive digits, but their zero is not always a
/// multiple of ten. The list has the scripts in use today.
fn ascii_digit(character: char) -> Option<char> {
    const ZEROES: [u32; 12] =
        [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0ce6, 0x0e50, 0x0ed0, 0xff10];
    let code = u32::from(character);
    let zero = ZEROES.into_iter().find(|zero| (*zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_with_their_units_in_any_script() {
        let found = |text: &'static str| NUMBER.find(text).map(|found| found.as_str());
        assert_eq!(found("about 42 % of it"), Some("42 %"));
        assert_eq!(found("costs $ 1,299.50 now"), Some("$ 1,299.50"));
        assert_eq!(found("٤٢ في المئة"), Some("٤٢"));
        assert_eq!(found("nearly 3 million"), Some("3 million"));
        assert_eq!(found("½ cup"), Some("½"));
        assert_eq!(found("no number"), None);
        assert_eq!(canonical_number("４２ percent"), "42%");
    }

    #[test]
    fn words_that_count_are_told_from_words_that_do_not() {
        for text in [
            "forty-two users",
            "one in ten",
            "twice as fast",
            "millions of people",
            "two thirds of",
            "a quarter of it",
            "ten percent",
        ] {
            assert!(NUMBER_WORDS.is_match(text), "{text}");
        }
        for text in
            ["three ways", "one of them", "double-check it", "the first step", "often", "attend", "one day in spring"]
        {
            assert!(!NUMBER_WORDS.is_match(text), "{text}");
        }
    }

    #[test]
    fn evidence_and_people_are_found() {
        for text in [
            "Studies show that bread helps",
            "research from Harvard has found it",
            "according to a recent survey",
            "Experts agree",
            "clinically proven",
        ] {
            assert!(EVIDENCE.is_match(text), "{text}");
        }
        for text in [
            "Study the recipe first",
            "the report you write",
            "show the data to nobody",
            "research your topic",
            "a case in point",
        ] {
            assert!(!EVIDENCE.is_match(text), "{text}");
        }
        for text in [
            "Dr. Smith has one",
            "Jane Miller, a baker from Ulm, says so",
            "according to Gartner",
            "explains Peter Brown",
        ] {
            assert!(ATTRIBUTION.is_match(text), "{text}");
        }
        assert!(!ATTRIBUTION.is_match("Your starter says nothing"));
    }
}
