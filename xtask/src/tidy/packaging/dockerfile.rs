//! Checks `Dockerfile`: copied files exist, images have versions, and no final image runs as root.

use std::path::Path;

use crate::tidy::finding::Finding;

/// The file, from the root of the workspace.
const FILE: &str = "Dockerfile";

/// A part of the file that begins with `FROM`.
#[derive(Debug)]
struct Stage {
    line: usize,
    /// The image or the stage that it begins from.
    base: String,
    name: String,
    instructions: Vec<(usize, String)>,
}

/// One finding for each mistake; none where there is no such file.
pub(in crate::tidy) fn check(root: &Path) -> Vec<Finding> {
    let Ok(text) = std::fs::read_to_string(root.join(FILE)) else { return Vec::new() };
    let stages = stages(&text);
    let mut findings: Vec<Finding> = stages.iter().filter_map(|stage| unversioned(stage, &stages)).collect();
    findings.extend(stages.iter().filter(|stage| is_final(stage, &stages)).filter_map(runs_as_root));
    let instructions = stages.iter().flat_map(|stage| &stage.instructions);
    findings.extend(instructions.flat_map(|(line, text)| missing(root, *line, text)));
    findings
}

/// Instructions over several lines become one.
fn stages(text: &str) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    let mut begun: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
        let (number, mut whole) = begun.take().unwrap_or((index + 1, String::new()));
        whole = format!("{whole} {}", line.trim());
        if let Some(open) = whole.strip_suffix('\\') {
            begun = Some((number, open.to_owned()));
            continue;
        }
        let whole = whole.trim().to_owned();
        let mut words = whole.split_whitespace();
        if words.next() == Some("FROM") {
            let base = words.next().unwrap_or_default().to_owned();
            let name = words.nth(1).unwrap_or_default().to_owned();
            stages.push(Stage { line: number, base, name, instructions: Vec::new() });
        } else if let Some(stage) = stages.last_mut() {
            stage.instructions.push((number, whole));
        }
    }
    stages
}

/// Returns true if no other stage starts from it or copies from it.
fn is_final(stage: &Stage, stages: &[Stage]) -> bool {
    let copied = format!("--from={}", stage.name);
    let is_used = |other: &Stage| {
        other.base == stage.name
            || other.instructions.iter().any(|(_, text)| text.split(' ').any(|word| word == copied))
    };
    stage.name.is_empty() || !stages.iter().any(is_used)
}

fn unversioned(stage: &Stage, stages: &[Stage]) -> Option<Finding> {
    let is_stage = stages.iter().any(|other| other.name == stage.base);
    let has_version = stage.base.split_once(':').is_some_and(|(_, tag)| !tag.is_empty() && tag != "latest");
    (!is_stage && !has_version).then(|| {
        let fault = format!("the image {} has no version", stage.base);
        Finding::new(Path::new(FILE), stage.line, fault, "Name a version, so that later builds use the same image.")
    })
}

fn runs_as_root(stage: &Stage) -> Option<Finding> {
    let mut users = stage.instructions.iter().filter_map(|(_, text)| text.strip_prefix("USER "));
    let is_root = users.next_back().is_none_or(|user| matches!(user.split(':').next(), Some("root" | "0")));
    is_root.then(|| {
        let fault = format!("the stage {} runs as root", stage.name);
        Finding::new(Path::new(FILE), stage.line, fault, "End it with USER and a user other than root.")
    })
}

fn missing(root: &Path, line: usize, instruction: &str) -> Vec<Finding> {
    let mut words = instruction.split_whitespace();
    if words.next() != Some("COPY") || instruction.contains("--from=") {
        return Vec::new();
    }
    let words: Vec<&str> = words.filter(|word| !word.starts_with("--")).collect();
    let sources = words.split_last().map_or(&[][..], |(_, sources)| sources);
    let missing = sources.iter().filter(|source| !root.join(source).exists());
    missing
        .map(|source| {
            Finding::new(
                Path::new(FILE),
                line,
                format!("{source} is copied, but does not exist"),
                "Correct the path, or remove it.",
            )
        })
        .collect()
}
