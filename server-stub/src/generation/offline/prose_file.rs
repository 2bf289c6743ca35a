//! Reads the files in `prose/`: sections with headings and units, and lists of single lines. One line's notation is read in `template`.

use super::placeholder::Slot;
use super::template::Template;

/// What a reader wants with a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To do something.
    Doing,
    /// To choose between things.
    Choosing,
    /// To have many things to pick from.
    Listing,
    /// To understand something.
    Understanding,
    /// To form a view.
    Judging,
}

impl Purpose {
    /// The letter that marks what serves the purpose.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Doing => 'd',
            Self::Choosing => 'c',
            Self::Listing => 'l',
            Self::Understanding => 'u',
            Self::Judging => 'o',
        }
    }
}

/// What a unit's lines become after its opening sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Paragraph,
    Bullets(Vec<Template>),
    Steps(Vec<Template>),
    Table(Vec<Vec<Template>>),
}

/// A paragraph that stands on its own, with the list or table that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) subheading: Option<Template>,
    pub(super) sentences: Vec<Template>,
    pub(super) shape: Shape,
}

/// A section: its headings to choose from and its units, in the order in which they read well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: String,
    /// Where it stands among the others, early to late.
    pub(super) stage: u32,
    pub(super) purposes: String,
    /// The only subject area that it speaks of; `None` where it suits any.
    pub(super) field: Option<String>,
    pub(super) headings: Vec<Template>,
    pub(super) units: Vec<Unit>,
}

impl Section {
    pub(super) fn serves(&self, purpose: Purpose) -> bool {
        self.purposes.contains(purpose.letter())
    }

    /// Whether it can be an entry of a list.
    pub(super) fn is_list_entry(&self) -> bool {
        self.name.starts_with("p-") && self.serves(Purpose::Listing)
    }

    /// Whether it speaks of two things that the topic compares.
    pub(super) fn compares(&self) -> bool {
        self.units.iter().flat_map(|unit| &unit.sentences).any(|sentence| sentence.requires(Slot::FirstOption))
    }
}

/// Parses `== name stage purposes @field` sections, of which the field may be missing; numbers sentences from `first`.
pub(super) fn parse_sections(source: &str, first: u64) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut number = first;
    let mut next = |text: &str| {
        number += 1;
        Template::parse(number, text)
    };
    let mut begins_unit = true;
    for line in source.lines().map(str::trim) {
        if let Some(head) = line.strip_prefix("== ") {
            let mut words = head.split(' ');
            let mut word = || words.next().expect("a section line has name, stage and purposes");
            let (name, stage, purposes) =
                (word().to_owned(), word().parse().expect("a stage is a number"), word().to_owned());
            let field = words.next().map(|field| field.trim_start_matches('@').to_owned());
            sections.push(Section { name, stage, purposes, field, headings: Vec::new(), units: Vec::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.is_empty() {
            begins_unit = true;
            continue;
        }
        if let Some(heading) = line.strip_prefix("# ") {
            section.headings.push(next(heading));
            continue;
        }
        if begins_unit {
            section.units.push(Unit { subheading: None, sentences: Vec::new(), shape: Shape::Paragraph });
            begins_unit = false;
        }
        let unit = section.units.last_mut().expect("a unit has begun");
        add_line(unit, line, &mut next);
    }
    sections
}

/// Parses one sentence per line.
pub(super) fn parse_lines(source: &str, first: u64) -> Vec<Template> {
    let lines = source.lines().map(str::trim).filter(|line| !line.is_empty());
    (first..).zip(lines).map(|(number, line)| Template::parse(number, line)).collect()
}

fn add_line(unit: &mut Unit, line: &str, next: &mut impl FnMut(&str) -> Template) {
    if let Some(text) = line.strip_prefix("## ") {
        unit.subheading = Some(next(text));
    } else if let Some(text) = line.strip_prefix("- ") {
        match &mut unit.shape {
            Shape::Bullets(items) => items.push(next(text)),
            shape => *shape = Shape::Bullets(vec![next(text)]),
        }
    } else if let Some(text) = line.strip_prefix("+ ") {
        match &mut unit.shape {
            Shape::Steps(items) => items.push(next(text)),
            shape => *shape = Shape::Steps(vec![next(text)]),
        }
    } else if let Some(text) = line.strip_prefix("| ") {
        let row = text.trim_end_matches(" |").split(" | ").map(next).collect();
        match &mut unit.shape {
            Shape::Table(rows) => rows.push(row),
            shape => *shape = Shape::Table(vec![row]),
        }
    } else {
        unit.sentences.push(next(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_hold_headings_and_units() {
        let sections =
            parse_sections("== plan 2 dc\n# One\n# Two\n\n## Sub\nA.\nB:\n- x\n- y\n\n| a | b |\n| c | d |\n", 10);
        assert_eq!(sections.len(), 1);
        assert!(sections[0].serves(Purpose::Choosing) && !sections[0].serves(Purpose::Understanding));
        assert_eq!(sections[0].units.len(), 2);
        assert!(matches!(&sections[0].units[0].shape, Shape::Bullets(items) if items.len() == 2));
        assert!(matches!(&sections[0].units[1].shape, Shape::Table(rows) if rows[1].len() == 2));
    }
}
