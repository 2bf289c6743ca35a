//! The templates in German, French and Spanish contain no figures, because the writer has no source for any. `language_model` checks
//! English: it lets nothing unsourced pass.

use std::path::PathBuf;

use regex::Regex;

/// For each language, the words that count, measure or multiply. "Two" and "three" are figures only before a unit of time.
const FIGURES: [(&str, &str); 3] = [
    (
        "de",
        r"(?i)\b(?:vier|fünf|sechs|sieben|(?-i:acht)|neun|zehn|elf|zwölf|fünfzehn|zwanzig|dreißig|fünfzig|hundert|tausend|millionen|dutzend|prozent|zehntel|drittel|viertel\p{L}*|(?:doppelt|halb|zweimal|dreimal) so|(?:zwei|drei) (?:minuten|stunden|tagen?|wochen|monaten?|jahren?))\b",
    ),
    (
        "fr",
        r"(?i)\b(?:quatre|cinq|six|sept|huit|neuf (?:minutes|heures|jours|semaines|mois)|dix|onze|douze|quinze|vingt|trente|cinquante|cent|mille|millions?|dizaine|douzaine|un tiers|un quart|moitié moins|fois plus|(?:deux|trois) (?:minutes|heures|semaines|mois|ans))\b",
    ),
    (
        "es",
        r"(?i)\b(?:cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cincuenta|cien|ciento|mil|millones|docena|un tercio|un cuarto|el doble|la mitad de l[ao]s|veces más|(?:dos|tres) (?:minutos|horas|semanas|meses|años))\b",
    ),
];

/// Returns the lines of a language's templates that become text.
fn lines_in(language: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/generation/offline/prose");
    let source = std::fs::read_to_string(folder.join(format!("{language}.prose"))).expect("the language has templates");
    // The kind of a part never becomes text.
    source.lines().filter(|line| !line.is_empty() && !line.starts_with("== ")).map(str::to_owned).collect()
}

#[test]
fn no_template_of_another_language_states_a_figure() {
    for (language, pattern) in FIGURES {
        let figures = Regex::new(pattern).expect("the pattern is valid");
        let lines = lines_in(language);
        assert!(lines.len() > 250, "{language}: {} lines", lines.len());
        let stated: Vec<String> = lines
            .iter()
            .filter(|line| figures.is_match(line) || line.contains(|letter: char| letter.is_numeric()))
            .map(|line| format!("{language}: {line}"))
            .collect();
        assert!(stated.is_empty(), "{}: {stated:#?}", stated.len());
    }
}

#[test]
fn words_that_count_are_told_from_words_that_do_not() {
    let states = |language: &str, text: &str| {
        let (_, pattern) = FIGURES.iter().find(|(tag, _)| *tag == language).expect("a known language");
        Regex::new(pattern).expect("the pattern is valid").is_match(text)
    };
    for (language, text) in [
        ("de", "Zehn Minuten genügen."),
        ("de", "Das geht doppelt so schnell."),
        ("de", "nach zwei Wochen"),
        ("fr", "Cinq minutes se trouvent toujours."),
        ("fr", "cela va deux fois plus vite"),
        ("es", "Diez minutos bastan."),
        ("es", "después de tres meses"),
    ] {
        assert!(states(language, text), "{text}");
    }
    for (language, text) in [
        ("de", "Zwei Fragen genügen, alles andere bleibt außer Acht."),
        ("fr", "Le neuf paraît meilleur, récent ou non."),
        ("es", "Bastan dos preguntas a mitad de camino."),
    ] {
        assert!(!states(language, text), "{text}");
    }
}
