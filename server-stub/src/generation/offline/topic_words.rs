//! Word lists and word forms for reading a topic; which form a topic takes is decided in `topic_forms`.

/// Verbs that begin a topic as an order, never as a noun.
const VERBS: &str = " become begin bring build buy calculate care choose clean compare convert cook create cut decide deal decorate define \
    deploy develop earn enjoy find finish fix focus gain get give grow handle hang hire improve increase install invest keep learn lose lower \
    maintain make manage measure migrate negotiate open optimise optimize organise organize pick prepare prevent protect prune reduce \
    remove repair run save secure sell set settle sew solve speak start stay stop teach tell try understand use wash write ";
/// Verbs that may also be nouns; they count as verbs before an article or a possessive.
const DOUBTFUL_VERBS: &str = " bake brew change design draw fill grade grind land mix paint plan plant play refresh rent replace review ride \
    schedule ship store study test track train travel treat walk water wrap ";
const DETERMINERS: &str = " a an the my our your his her their this that these those ";
const NEVER_ALONE_AT_END: &str = " a an the and or but of for to in on at by with without from as is are was were be my our your their his her its if \
    than that which who when while into about over under between ";
const SMALL_WORDS: &str = " a an the and or but of for to in on at by with without from as is are be my our your if than that which who when while into \
    about over under between vs versus not do does how what why best i we you ";
const DOUBLES: &str = " admit begin ban bet cut dig drop fit forget get grab hit jog let nap pat plan plug prefer put rub refer rip run set \
    ship shop sit skip slip spin stop submit swap swim tag tap tip trim win wrap zip commit control cancel ";
const COMMON_ENDINGS: [&str; 13] =
    ["ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ology", "ware", "ship", "care", "ture"];
const COMMON_WORDS: &str = " account accounting art baby back balcony bank basic basics bath beginner bike bikes bird book books bread budget \
    budgets business car cars cat cats chair chairs cheap chess child children city clean cloud coffee cold college company computer content cookie \
    cost costs course credit customer customers daily data debt desk diet digital dinner dog dogs drip easy electric email employee energy \
    equipment espresso exercise family fashion fermented field film finance first flat flower flowers food free freelance fresh friend fruit furniture game garden \
    gardens gift gifts glass goal goals good green group guitar hair hand hard health healthy heat heating high hiking hobby home homemade houseplant houseplants \
    hot hotel house household houses idea ideas indoor insurance interior internet job jobs kitchen knife knives landing language laptop large \
    late lawn lead leads leather lesson lessons life light local long loan loans low machine machines mail meal meals meeting meetings mental menu milk mobile modern money \
    mountain music natural new news nutrition office oil old olive online onboarding open organic outdoor paint paper park parents party payroll personal pet photo \
    photography piano plant plants poetry poster posters pottery price prices privacy product products professional project projects property public quality quick rain raised \
    real recipe recipes remote rent rental retirement roof room rose roses running salad sales school search self senior server shoe shoes shop shops short skill skin sleep slow \
    small smart soap social software solar soil sound soup sourdough space sport standing startup store stress strong student students study style summer supply sustainable \
    table tax taxes tea team teams teen time tips tomato tomatoes tool tools travel tree trees used user users vegan vegetable vegetables vintage virtual wall water web website weekly \
    weight white wine winter wood wooden wool work worker workers workout workshop yoga young ";

pub(super) fn is_listed(list: &str, word: &str) -> bool {
    list.contains(&format!(" {word} "))
}

/// Whether the words begin with a verb in its base form.
pub(super) fn begins_with_verb(words: &[&str]) -> bool {
    let lower = |at: usize| words.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    is_listed(VERBS, &lower(0)) && words.len() > 1
        || is_listed(DOUBTFUL_VERBS, &lower(0)) && is_listed(DETERMINERS, &lower(1))
}

/// Whether a phrase may not end with the word.
pub(super) fn dangles(word: &str) -> bool {
    is_listed(NEVER_ALONE_AT_END, &word.to_lowercase())
}

/// A word without the capital that a headline or a sentence start gave it.
pub(super) fn relaxed(word: &str, is_first: bool) -> String {
    let lower = word.to_lowercase();
    let only_first_is_capital = word.chars().skip(1).all(|letter| !letter.is_uppercase() && !letter.is_numeric());
    let small = is_listed(SMALL_WORDS, &lower) && word != "I" && word != "US" && word != "IT";
    let common = is_first
        && only_first_is_capital
        && (is_listed(COMMON_WORDS, &lower) || is_listed(VERBS, &lower) || has_common_ending(&lower));
    if (small && only_first_is_capital) || common { lower } else { word.to_owned() }
}

/// The verb phrase as something that is done: "train for a race" becomes "training for a race".
pub(super) fn gerund_phrase(phrase: &str) -> Option<String> {
    let words: Vec<&str> = phrase.split(' ').collect();
    let mut changed: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut verb = 0;
    while words
        .get(verb)
        .is_some_and(|word| word.ends_with("ly") || matches!(*word, "not" | "best" | "never" | "always"))
    {
        verb += 1;
    }
    changed[verb.min(words.len() - 1)] = gerund(words.get(verb)?)?;
    let second = words.get(verb + 1..).unwrap_or_default();
    if matches!(second, [joint, word, ..] if matches!(*joint, "and" | "or") && (is_listed(VERBS, word) || is_listed(DOUBTFUL_VERBS, word)))
    {
        changed[verb + 2] = gerund(second[1])?;
    }
    Some(changed.join(" "))
}

fn gerund(verb: &str) -> Option<String> {
    if verb.len() < 2
        || !verb.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        || verb.ends_with("ing")
    {
        return None;
    }
    let stem = match verb {
        "be" | "see" | "flee" | "agree" | "dye" | "free" | "guarantee" => verb.to_owned(),
        _ if is_listed(DOUBLES, verb) => format!("{verb}{}", &verb[verb.len() - 1..]),
        _ if verb.ends_with("ie") => format!("{}y", &verb[..verb.len() - 2]),
        _ if verb.ends_with('e') => verb[..verb.len() - 1].to_owned(),
        _ => verb.to_owned(),
    };
    Some(format!("{stem}ing"))
}

fn has_common_ending(word: &str) -> bool {
    word.len() > 5
        && !matches!(word, "beijing" | "boeing")
        && COMMON_ENDINGS.iter().any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verb_phrases_become_gerunds() {
        for (verb, gerund) in [
            ("train for a race", "training for a race"),
            ("make bread", "making bread"),
            ("get started", "getting started"),
            ("tie a knot", "tying a knot"),
            ("build and run a shop", "building and running a shop"),
            ("be calm", "being calm"),
            ("quickly fix it", "quickly fixing it"),
        ] {
            assert_eq!(gerund_phrase(verb).as_deref(), Some(gerund));
        }
        assert_eq!(gerund_phrase("日本"), None);
    }

    #[test]
    fn capitals_of_names_stay() {
        assert_eq!(relaxed("Email", true), "email");
        assert_eq!(relaxed("Kubernetes", true), "Kubernetes");
        assert_eq!(relaxed("SEO", true), "SEO");
        assert_eq!(relaxed("For", false), "for");
    }
}
