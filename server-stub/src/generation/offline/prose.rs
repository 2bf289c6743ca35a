//! Template prose of each language, parsed once. The words are in `prose/`.
//!
//! A line `== kind` begins a part, a line `# …` is one of its headings, and every other line is a sentence. An empty line ends a
//! paragraph. How a sentence varies is described in `sentence_renderer`.

use std::sync::LazyLock;

use crate::domain::voice::SupportedLanguage;

/// Template of a sentence or a heading, with its choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Template {
    /// Unique within a language.
    pub(super) number: u64,
    pub(super) source: &'static str,
}

/// Alternative headings, and paragraphs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    kind: &'static str,
    pub(super) headings: Vec<Template>,
    pub(super) paragraphs: Vec<Vec<Template>>,
}

/// All templates of one language.
#[derive(Debug)]
pub(super) struct Prose(Vec<Part>);

/// Prose of each language, in the order of `SupportedLanguage::ALL`.
static PROSE: LazyLock<[Prose; 4]> = LazyLock::new(|| {
    [
        include_str!("prose/en.prose"),
        include_str!("prose/de.prose"),
        include_str!("prose/fr.prose"),
        include_str!("prose/es.prose"),
    ]
    .map(Prose::parse)
});

pub(super) fn prose(language: SupportedLanguage) -> &'static Prose {
    &PROSE[language as usize]
}

impl Prose {
    fn parse(source: &'static str) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut begins_paragraph = true;
        for (number, line) in (0_u64..).zip(source.lines().map(str::trim)) {
            if let Some(kind) = line.strip_prefix("== ") {
                parts.push(Part { kind, ..Part::default() });
                begins_paragraph = true;
                continue;
            }
            let Some(part) = parts.last_mut() else { continue };
            if line.is_empty() {
                begins_paragraph = true;
            } else if let Some(heading) = line.strip_prefix("# ") {
                part.headings.push(Template { number, source: heading });
            } else {
                let sentence = Template { number, source: line };
                match part.paragraphs.last_mut() {
                    Some(paragraph) if !begins_paragraph => paragraph.push(sentence),
                    _ => part.paragraphs.push(vec![sentence]),
                }
                begins_paragraph = false;
            }
        }
        Self(parts)
    }

    /// Returns all parts of a kind.
    pub(super) fn parts(&self, kind: &str) -> Vec<&Part> {
        self.0.iter().filter(|part| part.kind == kind).collect()
    }

    /// Returns all lines of a kind.
    pub(super) fn lines(&self, kind: &str) -> Vec<Template> {
        self.parts(kind).into_iter().flat_map(|part| &part.paragraphs).flatten().copied().collect()
    }
}
