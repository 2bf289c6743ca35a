//! `action.yml`: inputs are declared, described and used, no text of a caller's becomes part of a script, and nothing is built in the
//! caller's folder.

use std::path::Path;

use serde_json::Value;

use crate::tidy::finding::Finding;

/// The file, from the root of the workspace.
const FILE: &str = "action.yml";
/// Characters of a commit's name.
const COMMIT: usize = 40;

/// One finding for each mistake; none where there is no such file.
pub(in crate::tidy) fn check(root: &Path) -> Vec<Finding> {
    let Ok(text) = std::fs::read_to_string(root.join(FILE)) else { return Vec::new() };
    let finding = |fault: String, fix: &str| Finding::new(Path::new(FILE), 1, fault, fix);
    let Ok(action) = serde_saphyr::from_str::<Value>(&text) else {
        return vec![finding("it is not valid YAML".to_owned(), "Fix its syntax.")];
    };
    let mut findings = Vec::new();
    let used = inputs_used(&text);
    for (name, input) in action["inputs"].as_object().into_iter().flatten() {
        if input["description"].as_str().is_none_or(str::is_empty) {
            findings.push(finding(format!("the input {name} has no description"), "Say what it is for."));
        }
        if !used.contains(&name.as_str()) {
            findings.push(finding(format!("the input {name} is not used"), "Use it or remove it."));
        }
    }
    for name in used.iter().filter(|name| action["inputs"].get(**name).is_none()) {
        findings.push(finding(format!("the input {name} is not declared"), "Declare it under inputs."));
    }
    for (number, step) in action["runs"]["steps"].as_array().into_iter().flatten().enumerate() {
        let name = step["name"].as_str().map_or_else(|| format!("step {}", number + 1), |name| format!("`{name}`"));
        if let Some(script) = step["run"].as_str() {
            if script.contains("${{") {
                let fix = "Pass it to the script in `env`, so that the text of a caller is not executed.";
                findings.push(finding(format!("the script of {name} contains an expression"), fix));
            }
            if script.contains("cargo ") && !script.contains("cd \"$GITHUB_ACTION_PATH\"") {
                let fix = "Begin with cd \"$GITHUB_ACTION_PATH\": cargo obeys the .cargo/config.toml of the folder that it starts in.";
                findings.push(finding(format!("{name} runs cargo in the caller's folder"), fix));
            }
            if step["shell"].as_str().is_none() {
                findings.push(finding(
                    format!("{name} has no shell"),
                    "Add `shell`: a composite action needs one for each script.",
                ));
            }
        }
        if let Some(other) = step["uses"].as_str().filter(|other| !other.starts_with("./")) {
            let version = other.split_once('@').map(|(_, version)| version).unwrap_or_default();
            if version.len() != COMMIT || !version.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let fix = "Name a commit, because a tag can change.";
                findings.push(finding(format!("{name} uses {other}"), fix));
            }
        }
    }
    findings
}

/// The names behind `inputs.` in expressions, each once.
fn inputs_used(text: &str) -> Vec<&str> {
    let expressions = text.split("${{").skip(1).filter_map(|rest| rest.split("}}").next());
    let names = expressions.filter_map(|expression| expression.trim().strip_prefix("inputs.")).map(str::trim);
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}
