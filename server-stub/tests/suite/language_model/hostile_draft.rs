//! Makes a good draft hostile: every kind of forbidden content in every place.

use contentgen_server_stub::generation::{ArticleDraft, DraftSection};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, RngExt as _};

/// Marker word of a lie. It shows whether a lie gets through.
pub(super) const PLANTED: &str = "zorblatt";

/// Returns a lie: a number, a link, a quotation or evidence, in forms that a filter may overlook.
fn lie(random: &mut ChaCha8Rng) -> String {
    let number = random.random_range(2..10_000);
    let template = *[
        "About N% of zorblatt users agree.",
        "Zorblatt costs $N today.",
        "Zorblatt grew by N percent, N million and ½.",
        "Zorblatt began in N.",
        "Nine out of ten zorblatt fans say so.",
        "Zorblatt is twice as good.",
        "Forty-two zorblatt shops opened.",
        "Thousands of zorblatt fans came.",
        "Zorblatt took ٣٤ days.",
        "Zorblatt needs **N**** grams**.",
        "Zorblatt is &#57;&#57; pure.",
        "Zorblatt has N\u{200b}N parts.",
        "Studies show that zorblatt works.",
        "Researchers at Zorblatt University found that it works.",
        "According to Zorblatt Research, it works.",
        "Experts agree that zorblatt works.",
        "Dr. Jane Zorblatt swears by it.",
        "Jane Zorblatt, a baker, says that it works.",
        "\"Zorblatt has changed my whole life,\" said a customer.",
        "\u{201c}Zorblatt is the best thing ever made,\u{201d} they told us.",
        "\u{ab}Zorblatt est la meilleure chose du monde\u{bb}.",
        "\u{300c}zorblatt is what everybody needs\u{300d} is on the label.",
        "Read https://zorblatt.example/N for more.",
        "Visit www.zorblatt.com now.",
        "Visit zorblatt.shop/now at once.",
        "Mail sales@zorblatt.example today.",
        "Open javascript:alert('zorblatt') now.",
    ]
    .choose(random)
    .unwrap();
    template.replace('N', &number.to_string())
}

/// Returns a lie as a heading. Its harmless words may stay.
fn heading(lie: &str) -> String {
    lie.replace("Zorblatt", "Yarn").replace(PLANTED, "yarn")
}

/// Returns mark-up. Its text may stay, but not its effect.
fn mark_up(random: &mut ChaCha8Rng) -> &'static str {
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href=\"javascript:alert(1)\">here</a>",
        "[here](javascript:alert(1))",
        "[here](https://evil.example/x)",
        "<https://evil.example/x>",
        "![](https://evil.example/pixel.png)",
        "<iframe src=\"https://evil.example\"></iframe>",
        "<style>body{display:none}</style>",
        "<!-- ]]> -->",
        "\u{202e}desrever\u{202c}",
        "\u{0}\u{7}\u{1b}[31m",
        "\u{e0041}\u{e0042}\u{feff}\u{2066}",
        "&lt;script&gt;",
        "\\<script>",
        "[x]: https://evil.example",
        "{{7*7}}",
        "**unclosed",
        "`unclosed",
    ]
    .choose(random)
    .unwrap()
}

/// Returns a block that consists only of lies.
fn block(random: &mut ChaCha8Rng) -> String {
    let lie = lie(random);
    [
        format!("> {lie}"),
        format!("- {lie}\n- {lie}"),
        format!("1. {lie}\n2. {lie}"),
        format!("| a | b |\n|---|---|\n| {lie} | x |"),
        format!("```\n{lie}\n```"),
        format!("# {}", heading(&lie)),
        format!("### {}\n\n{lie}", heading(&lie)),
        format!("<div onclick=\"x()\"><p>{lie}</p></div>"),
        format!("{}\n===", heading(&lie)),
        format!("- a\n    - b\n        - {lie}"),
        format!("{}{lie}", ">".repeat(500)),
    ]
    .choose(random)
    .unwrap()
    .clone()
}

/// Returns the draft with lies in every place.
pub(super) fn hostile(draft: &ArticleDraft, random: &mut ChaCha8Rng) -> ArticleDraft {
    let mut draft = draft.clone();
    for section in &mut draft.sections {
        let mut text = section.markdown.clone();
        for _ in 0..random.random_range(1..4) {
            text = match random.random_range(0..3) {
                0 => format!("{text} {}", lie(random)),
                1 => format!("{text}\n\n{}\n", block(random)),
                _ => format!("{}\n\n{text}", lie(random)),
            };
        }
        if random.random_bool(0.5) {
            text = format!("{text}\n\n{}\n", mark_up(random));
        }
        section.markdown = text;
        if random.random_bool(0.1) {
            section.level = random.random_range(0..=u8::MAX);
        }
    }
    if random.random_bool(0.3) {
        draft.title = format!("{}: {}", draft.title, heading(&lie(random)));
    }
    draft.excerpt = format!("{} {}", lie(random), draft.excerpt);
    draft.meta_description = format!("{} {}", draft.meta_description, lie(random));
    draft.hero_alt = format!("{} {}", draft.hero_alt, mark_up(random));
    for entry in &mut draft.faq {
        entry.answer = format!("{} {}", entry.answer, lie(random));
    }
    if random.random_bool(0.3) {
        draft.faq.extend(draft.faq.clone());
    }
    draft.tags.extend([lie(random), "x".repeat(500), format!("<b>{}</b>", mark_up(random))]);
    draft.keywords.push(lie(random));
    if random.random_bool(0.2) {
        draft.sections.push(DraftSection { heading: heading(&lie(random)), level: 2, markdown: lie(random) });
    }
    draft
}

/// Returns the draft with the text that a hostile endpoint adds around it.
pub(super) fn dress(draft: &str, random: &mut ChaCha8Rng) -> String {
    match random.next_u32() % 5 {
        0 => format!("```json\n{draft}\n```"),
        1 => format!("Here is {{it}}: {draft} — {}", lie(random)),
        2 => format!("<think>{}</think>{draft}", lie(random)),
        3 => format!("{{\"article\": {draft}}}"),
        _ => draft.to_owned(),
    }
}
