//! Compares the operator's guide with the program: each option with its variable, default and bounds, and each metric.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, Command};
use contentgen_server_stub::cli;

const OPTIONS: &str = include_str!("../../../../docs/options.md");
const RUN_IN_PRODUCTION: &str = include_str!("../../../../docs/run-in-production.md");

/// Heading of the options that several commands share.
const SHARED: &str = "Shared options";

/// A row of the tables of options.
#[derive(Clone)]
struct Row {
    variable: String,
    default: String,
    values: String,
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// Returns the rows below each heading, by option.
fn documented() -> BTreeMap<String, BTreeMap<String, Row>> {
    let mut commands = BTreeMap::<_, BTreeMap<_, _>>::new();
    let mut command = None;
    for line in OPTIONS.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            command = Some(heading.trim_matches('`').to_owned());
            commands.insert(command.clone().unwrap(), BTreeMap::new());
        } else if line.starts_with("| `--") {
            let [option, variable, default, values, meaning] = cells(line)[..] else { panic!("{line}") };
            assert!(!meaning.is_empty(), "{line}");
            let row = Row { variable: variable.to_owned(), default: default.to_owned(), values: values.to_owned() };
            let rows = commands.get_mut(command.as_ref().unwrap()).unwrap();
            assert!(rows.insert(option.trim_matches('`').to_owned(), row).is_none(), "{line} stands twice");
        }
    }
    commands
}

/// Returns every command without subcommands, by the words that call it.
pub(super) fn commands(command: &Command, words: &str) -> BTreeMap<String, Command> {
    let mut found = BTreeMap::new();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let words = format!("{words} {}", inner.get_name()).trim().to_owned();
        if inner.has_subcommands() {
            found.extend(commands(inner, &words));
        } else {
            found.insert(words, inner.clone());
        }
    }
    found
}

fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    // Hidden options are for tests or have a better alternative.
    let is_told = |option: &&Arg| !option.is_hide_set() && !option.is_positional();
    command.get_arguments().filter(is_told).filter(|option| !["help", "version"].contains(&option.get_id().as_str()))
}

/// Compares a command with its own rows and the shared ones. Returns the shared options that it takes.
fn compare(
    name: &str,
    command: &Command,
    own: &BTreeMap<String, Row>,
    shared: &BTreeMap<String, Row>,
) -> BTreeSet<String> {
    let takes = |long: &str| options(command).any(|option| option.get_long() == long.strip_prefix("--"));
    let taken = shared.iter().filter(|(long, _)| !own.contains_key(*long) && takes(long));
    let taken: BTreeMap<_, _> = taken.map(|(long, row)| (long.clone(), row.clone())).collect();
    let mut rows = own.clone();
    rows.extend(taken.clone());
    let described: Vec<_> = rows.keys().map(String::as_str).collect();
    let mut known: Vec<_> = options(command).map(|option| format!("--{}", option.get_long().unwrap())).collect();
    known.sort_unstable();
    assert_eq!(described, known, "the table of `{name}` in docs/options.md");
    for option in options(command) {
        let long = format!("--{}", option.get_long().unwrap());
        let at = format!("`{name} {long}` in docs/options.md");
        let row = &rows[&long];
        let variable = option.get_env().map(|variable| format!("`{}`", variable.display())).unwrap_or_default();
        assert_eq!(row.variable, variable, "{at}");
        compare_default(&at, option, row);
        for value in option.get_possible_values() {
            let is_flag = option.get_action().takes_values();
            assert!(!is_flag || row.values.contains(&format!("`{}`", value.get_name())), "{at}: {}", value.get_name());
        }
    }
    taken.into_keys().collect()
}

fn compare_default(at: &str, option: &Arg, row: &Row) {
    let defaults: Vec<_> = option.get_default_values().iter().map(|value| value.to_str().unwrap()).collect();
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let expected = if option.is_required_set() {
        "required".to_owned()
    } else if !option.get_action().takes_values() {
        "off".to_owned()
    } else if !defaults.is_empty() {
        format!("`{}`", defaults.join(","))
    } else if let Some((_, told)) = help.rsplit_once("[default: ") {
        told.trim_end_matches(']').split(';').next().unwrap().to_owned()
    } else {
        // Only the guide states this default.
        assert!(!row.default.is_empty(), "{at}: no default");
        return;
    };
    let bare = |text: &str| text.replace('`', "").replace(" and ", ", ");
    assert_eq!(bare(&row.default), bare(&expected), "{at}");
}

#[test]
fn the_guide_lists_every_option_with_its_variable_and_default() {
    let program = cli::command();
    let mut documented = documented();
    let shared = documented.remove(SHARED).unwrap();
    let commands = commands(&program, "");
    let mut headings: Vec<_> = commands.keys().map(String::as_str).collect();
    headings.push("contentgen-server");
    headings.sort_unstable();
    assert_eq!(documented.keys().map(String::as_str).collect::<Vec<_>>(), headings);
    compare("contentgen-server", &program, &documented["contentgen-server"], &BTreeMap::new());
    let taken: BTreeSet<_> =
        commands.iter().flat_map(|(name, command)| compare(name, command, &documented[name], &shared)).collect();
    assert_eq!(taken, shared.into_keys().collect());
}

#[test]
fn the_bounds_that_the_guide_gives_are_those_of_the_program() {
    let mut seen = 0;
    for (name, rows) in documented() {
        for (option, row) in rows {
            let values = row.values.replace('`', "");
            let Some((low, high)) = values.split(',').next().and_then(|values| values.split_once(" to ")) else {
                continue;
            };
            // The bound is a number, or a duration. Values just outside a duration use seconds.
            let ((low, unit), (high, _)) = (amount(low), amount(high));
            let others = required(&name, &option);
            let takes = |value: u64| {
                let words = format!("contentgen-server {name} {option} {value}{unit} {others}");
                cli::command().try_get_matches_from(words.split_whitespace()).is_ok()
            };
            assert!(takes(low) && takes(high), "{name} {option}: {low} to {high}");
            assert!(!takes(high + 1), "{name} {option} takes {}", high + 1);
            assert!(low.checked_sub(1).is_none_or(|below| !takes(below)), "{name} {option} takes less than {low}");
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen}");
}

/// Returns a bound and its unit. Days are converted to seconds.
fn amount(text: &str) -> (u64, &'static str) {
    match text.strip_suffix('d') {
        Some(days) => (days.parse::<u64>().unwrap() * 24 * 60 * 60, "s"),
        None => (text.parse().unwrap(), ""),
    }
}

/// Returns the other options that a command requires.
fn required(name: &str, option: &str) -> String {
    let command = &commands(&cli::command(), "")[name];
    let needed = options(command).filter_map(|needed| Some(needed.get_long()?).filter(|_| needed.is_required_set()));
    let needed = needed.map(|long| format!("--{long}")).filter(|long| long != option);
    needed.map(|long| format!("{long} x")).collect::<Vec<_>>().join(" ")
}

/// Returns the metrics that `docs/run-in-production.md` lists.
pub(crate) fn metrics() -> Vec<String> {
    let rows = RUN_IN_PRODUCTION.lines().filter_map(|line| line.strip_prefix("| `contentgen_"));
    rows.map(|row| format!("contentgen_{}", row.split('`').next().unwrap())).collect()
}
