//! Puts changes into a file so that each can be enabled while the program runs. The numbers of lines stay the same.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context as _, Result};
use proc_macro2::LineColumn;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};

use super::mutation::{Genre, Mutation, Place};

/// Name of the variable with the number of the change that is enabled.
pub(super) const ENABLED: &str = "CONTENTGEN_MUTANT";
/// Name of the variable with the path of a file, to which the server writes the numbers of the changes whose code it executes.
pub(super) const PASSED: &str = "CONTENTGEN_MUTANTS_PASSED";
/// The module that is added to the server. `is` returns true if the change with this number is enabled.
pub(super) const MODULE: &str = r#"
pub(crate) mod mutant {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{LazyLock, Mutex};

    static ENABLED: LazyLock<Option<u32>> = LazyLock::new(|| std::env::var("CONTENTGEN_MUTANT").ok()?.parse().ok());
    static PASSED: [AtomicBool; 10_000] = [const { AtomicBool::new(false) }; 10_000];
    static FILE: LazyLock<Option<Mutex<std::fs::File>>> = LazyLock::new(|| {
        Some(Mutex::new(std::fs::File::create(std::env::var("CONTENTGEN_MUTANTS_PASSED").ok()?).ok()?))
    });
    pub(crate) fn is(number: u32) -> bool {
        if let Some(file) = &*FILE
            && let Some(passed) = PASSED.get(number as usize)
            && !passed.swap(true, Ordering::Relaxed)
            && let Ok(mut file) = file.lock()
        {
            let _ = writeln!(file, "{number}");
        }
        *ENABLED == Some(number)
    }
}
"#;

/// An edit of a file that adds a change.
struct Edit {
    bytes: Range<usize>,
    text: String,
}

/// The lines of a change in its file, from 1.
pub(super) type Lines = Range<usize>;

/// Returns the file with those of the numbered changes that fit beside the earlier ones, and the lines of each.
pub(super) fn with_switches(source: &str, mutations: &[(u32, &Mutation)]) -> Result<(String, BTreeMap<u32, Lines>)> {
    let mut file = syn::parse_file(source).context("the file is not Rust")?;
    let mut operations = Operations::default();
    operations.visit_file_mut(&mut file);
    let offsets = Offsets::of(source);
    let (mut edits, mut lines): (Vec<Edit>, _) = (Vec::new(), BTreeMap::new());
    for (number, mutation) in mutations {
        let Some(edit) = edit(source, &offsets, &operations, *number, mutation) else { continue };
        if edits.iter().any(|other| edit.bytes.start < other.bytes.end && other.bytes.start < edit.bytes.end) {
            continue;
        }
        lines.insert(*number, offsets.line(edit.bytes.start)..offsets.line(edit.bytes.end) + 1);
        edits.push(edit);
    }
    // From the end, so that the offsets stay right. A change at the begin of a function comes before one of its first expression.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.bytes.start, edit.bytes.end)));
    let mut text = source.to_owned();
    for edit in edits {
        text.replace_range(edit.bytes, &edit.text);
    }
    Ok((text, lines))
}

/// Returns the edit that adds the change, or `None` if the change has a place that cannot be edited.
fn edit(
    source: &str,
    offsets: &Offsets<'_>,
    operations: &Operations,
    number: u32,
    mutation: &Mutation,
) -> Option<Edit> {
    let replacement = on_one_line(&mutation.replacement)?;
    let condition = format!("crate::mutant::is({number})");
    let (start, end) = (offsets.at(mutation.span.start), offsets.at(mutation.span.end));
    match mutation.genre {
        Genre::FnValue => {
            Some(Edit { bytes: start..start, text: format!("if {condition} {{ return {replacement}; }} ") })
        }
        Genre::BinaryOperator | Genre::UnaryOperator => {
            let (from, to) = *operations.0.get(&mutation.span.start)?;
            let bytes = offsets.at(from)..offsets.at(to);
            let (before, after) = (source.get(bytes.start..start)?, source.get(end..bytes.end)?);
            let (changed, whole) = (on_one_line(&format!("{before}{replacement}{after}"))?, source.get(bytes.clone())?);
            Some(Edit { bytes, text: format!("(if {condition} {{ {changed} }} else {{ {whole} }})") })
        }
        Genre::MatchArmGuard => {
            let whole = source.get(start..end)?;
            let text = if replacement == "true" {
                format!("({condition} || ({whole}))")
            } else {
                format!("(!{condition} && ({whole}))")
            };
            Some(Edit { bytes: start..end, text })
        }
        Genre::Other => None,
    }
}

/// Returns the code on one line, or `None` if a comment or a text prevents that.
fn on_one_line(code: &str) -> Option<String> {
    let can_be_joined = !code.contains('\n') || !(code.contains("//") || code.contains('"'));
    can_be_joined.then(|| code.lines().map(str::trim).collect::<Vec<_>>().join(" "))
}

/// Begin and end of each expression with an operator, by the place of the operator.
#[derive(Default)]
struct Operations(BTreeMap<Place, (Place, Place)>);

impl Operations {
    fn add(&mut self, operator: proc_macro2::Span, whole: proc_macro2::Span) {
        self.0.insert(place(operator.start()), (place(whole.start()), place(whole.end())));
    }
}

impl VisitMut for Operations {
    fn visit_expr_binary_mut(&mut self, expression: &mut syn::ExprBinary) {
        self.add(expression.op.span(), expression.span());
        visit_mut::visit_expr_binary_mut(self, expression);
    }

    fn visit_expr_unary_mut(&mut self, expression: &mut syn::ExprUnary) {
        self.add(expression.op.span(), expression.span());
        visit_mut::visit_expr_unary_mut(self, expression);
    }
}

fn place(position: LineColumn) -> Place {
    Place { line: position.line, column: position.column + 1 }
}

/// Offsets in bytes of the lines of a file.
struct Offsets<'source> {
    source: &'source str,
    lines: Vec<usize>,
}

impl<'source> Offsets<'source> {
    fn of(source: &'source str) -> Self {
        let lines = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { source, lines }
    }

    /// Returns the offset of a place.
    fn at(&self, place: Place) -> usize {
        let begin = self.lines[place.line - 1];
        let column = self.source[begin..].char_indices().nth(place.column - 1);
        begin + column.map_or(self.source.len() - begin, |(offset, _)| offset)
    }

    /// Returns the number of the line that contains the offset, from 1.
    fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| *line <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutation::{Genre, Mutation, Place, Span};
    use super::with_switches;

    const SOURCE: &str =
        "fn is_long(text: &str) -> bool {\n    // Counts.\n    text.len() > 3\n        && !text.is_empty()\n}\n";

    fn mutation(genre: Genre, start: (usize, usize), end: (usize, usize), replacement: &str) -> Mutation {
        let place = |(line, column)| Place { line, column };
        let span = Span { start: place(start), end: place(end) };
        Mutation { name: String::new(), file: String::new(), span, replacement: replacement.to_owned(), genre }
    }

    #[test]
    fn changes_are_switched_on_by_number_and_keep_the_lines() {
        let whole = mutation(Genre::FnValue, (3, 5), (4, 28), "true");
        let greater = mutation(Genre::BinaryOperator, (3, 16), (3, 17), "==");
        let negated = mutation(Genre::UnaryOperator, (4, 12), (4, 13), "");
        let (text, lines) = with_switches(SOURCE, &[(1, &whole), (2, &greater), (3, &negated)]).unwrap();
        assert!(
            text.contains(
                "    if crate::mutant::is(1) { return true; } (if crate::mutant::is(2) { text.len() == 3 } else"
            ),
            "{text}"
        );
        assert!(text.contains("&& (if crate::mutant::is(3) { text.is_empty() } else { !text.is_empty() })"), "{text}");
        assert_eq!(text.lines().count(), SOURCE.lines().count(), "{text}");
        assert_eq!(lines.into_values().collect::<Vec<_>>(), [3..4, 3..4, 4..5]);
        syn::parse_file(&text).unwrap();
    }

    #[test]
    fn a_change_around_another_is_left_out() {
        let greater = mutation(Genre::BinaryOperator, (3, 16), (3, 17), "==");
        let both = mutation(Genre::BinaryOperator, (4, 9), (4, 11), "||");
        let (text, lines) = with_switches(SOURCE, &[(1, &greater), (2, &both)]).unwrap();
        assert!(lines.contains_key(&1) && !lines.contains_key(&2), "{text}");
    }
}
