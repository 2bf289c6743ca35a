//! An article mentions only things in the request and the profile, and meets an editor's standards.

use contentgen_server_stub::domain::voice::sentences;
use contentgen_server_stub::domain::written_article::WrittenArticle;

use super::briefs::{all_text, brief_about, write};
use super::languages::topics_in;

/// Topics of each language.
const TOPICS: usize = 40;
const LENGTHS: [u32; 4] = [200, 600, 1200, 2500];

/// Beginnings of words for things that templates of an earlier writer mentioned, each after a space. Words of the topic are exempt.
const THINGS: [(&str, &str); 4] = [
    (
        "en",
        " bolt bike bicycle ride riding mile tyre brake chain oven dough loaf bake baker cook kitchen recipe ingredient salt soil leaf \
         pot plant garden seed frost harvest prune roof paint tool meter receipt fridge thermometer knife knives gear engine road \
         fuel battery server code deploy invoice budget shop customer supplier market tax lawyer court contract doctor sleep muscle shoe coach \
         guitar chord lens camera ticket hotel suitcase passport child school teacher exam dog cat vet bird wool glue wood clay ",
    ),
    (
        "de",
        " schraube fahrrad meile reifen bremse kette ofen teig brot back küche rezept zutat salz boden erde blatt blätter topf pflanze garten \
         gärtner samen frost ernte schnitt zimmer dach farbe werkzeug zähler quittung kühlschrank thermometer messer waage motor straße akku \
         server rechnung kunde kundin lieferant markt steuer anwalt gericht vertrag arzt muskel schuh trainer gitarre kamera koffer hotel \
         schule lehrer prüfungsamt hund katze vogel leim ",
    ),
    (
        "fr",
        " boulon vélo pneu frein chaîne four pâte pain boulang cuisin recette ingrédient sel. feuille pot plante jardin graine gelée récolte \
         tailler toit peinture outil compteur facture thermomètre couteau balance moteur route batterie serveur client fournisseur impôt \
         avocat tribunal contrat médecin muscle chaussure entraîneur guitare appareil valise hôtel enfant école professeur chien chat oiseau ",
    ),
    (
        "es",
        " tornillo bicicleta milla neumático freno cadena horno masa pan. panader cocin receta ingrediente sal. suelo hoja maceta planta jardín \
         semilla helada cosecha podar techo pintura herramienta contador recibo termómetro cuchillo balanza motor carretera batería servidor \
         factura cliente proveedor mercado impuesto abogado tribunal contrato médico músculo zapato entrenador guitarra cámara maleta hotel niño \
         escuela profesor perro gato pájaro ",
    ),
];

/// Returns topics of a language with an article each, of different lengths.
fn articles(language: &str) -> Vec<(&'static str, WrittenArticle)> {
    let topics: Vec<&str> = match language {
        "en" => include_str!("topics.txt").lines().filter(|line| !line.is_empty()).collect(),
        _ => topics_in(language),
    };
    let topics = topics.into_iter().take(TOPICS).zip(LENGTHS.into_iter().cycle());
    let written = topics.map(|(topic, target)| {
        let mut brief = brief_about(topic);
        language.clone_into(&mut brief.language);
        brief.target_word_count = target;
        (topic, write(&brief).unwrap_or_else(|error| panic!("{topic}: {error}")))
    });
    written.collect()
}

fn lower_words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[test]
fn no_article_mentions_a_thing_that_the_order_does_not() {
    for (language, things) in THINGS {
        for (topic, article) in articles(language) {
            let ordered = lower_words(topic);
            let said = lower_words(&all_text(&article));
            for word in said.iter().filter(|word| !ordered.contains(word)) {
                let is_thing = |thing: &str| match thing.strip_suffix('.') {
                    Some(whole) => word == whole,
                    None => word.strip_prefix(thing).is_some_and(|rest| rest.chars().count() <= 2),
                };
                assert!(!things.split_whitespace().any(is_thing), "{language}: {word:?} in the article on {topic}");
            }
        }
    }
}

#[test]
fn articles_read_well() {
    for (language, _) in THINGS {
        for (topic, article) in articles(language) {
            reads_well(topic, &article);
        }
    }
}

fn reads_well(topic: &str, article: &WrittenArticle) {
    let text = all_text(article);
    for placeholder in ["{topic}", "{term}", "{number}", "{heading}", "|]", "[|", " +", "..", " ,", " ."] {
        assert!(!text.contains(placeholder), "{topic}: {placeholder:?} in\n{text}");
    }
    for sentence in text.lines().flat_map(sentences) {
        let doubled = lower_words(sentence).windows(2).any(|pair| pair[0] == pair[1]);
        assert!(!doubled || topic.contains(sentence), "{topic}: a doubled word: {sentence}");
    }
    for entry in &article.outline {
        assert!(entry.text.chars().any(char::is_alphanumeric), "{topic}: an empty heading");
        begins_large(topic, &entry.text);
    }
    let blocks = article.content_markdown.split("\n\n").filter(|block| !block.starts_with(['#', '|']));
    let answers = article.faq.iter().map(|entry| entry.answer.as_str());
    for sentence in blocks.chain(answers).flat_map(sentences).map(str::trim).filter(|sentence| !sentence.is_empty()) {
        assert!(sentence.trim_end_matches(closes).ends_with(['.', '?', '\u{2026}']), "{topic}: no end: {sentence}");
        // After a question in quotation marks the same sentence continues.
        let goes_on =
            ["?\u{201d} ", "?\u{201c} ", "?\u{bb} "].iter().any(|end| text.contains(&format!("{end}{sentence}")));
        if !goes_on && !sentence.starts_with('\u{bb}') {
            begins_large(topic, sentence);
        }
    }
}

fn closes(mark: char) -> bool {
    matches!(mark, '\u{201c}' | '\u{201d}' | '\u{bb}' | '\u{a0}')
}

fn begins_large(topic: &str, text: &str) {
    let first = text.chars().find(|letter| letter.is_alphanumeric());
    assert!(!first.is_some_and(char::is_lowercase), "{topic}: small at the beginning: {text}");
}
