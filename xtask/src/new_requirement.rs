//! `cargo xtask new-requirement AREA.SUBJECT.PROPERTY`: the file of a new requirement, or the text to add to an existing file.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Writes the file of a new requirement.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Id of the requirement: three words of small letters, digits and hyphens, such as `jobs.cancel.idempotent`.
    id: String,
}

/// Writes the file of a new subject. If a file of the area has the subject, prints what to add there.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let id = &arguments.id;
    let [area, subject, property] = words(id)?;
    let module = |word: &str| word.replace('-', "_");
    let folder = format!("conformance/src/requirements/{}", module(area));
    let file = file_of(&root.join(&folder), &format!("\"{area}.{subject}."))?;
    let name = format!("{folder}/{}", file.unwrap_or_else(|| format!("{}.rs", module(subject))));
    let path = root.join(&name);
    let mut output = std::io::stdout().lock();
    let (entry, check) = (entry(id, &module(property)), check(&module(property)));
    if path.exists() {
        writeln!(output, "Add to `requirements()` in {name}:\n\n{entry}\n\nand below it:\n\n{check}")?;
    } else {
        let folder = path.parent().context("the path has a folder")?;
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let text = format!(
            "//! The {} of {}.\n\nuse serde_json::Value;\n\nuse crate::check::{{Context, Halt, Requirement, Verdict}};\n\n\
             pub(crate) fn requirements() -> Vec<Requirement> {{\n    vec![\n{entry}\n    ]\n}}\n\n{check}",
            subject.replace('-', " "),
            area.replace('-', " ")
        );
        std::fs::write(&path, text).with_context(|| format!("cannot write {name}"))?;
        writeln!(output, "Wrote {name}.")?;
    }
    writeln!(
        output,
        "Next: write the clause, quote its sources and write the check. Run it with\n    \
         cargo run -p contentgen-conformance -- run --reference --only {id}\n\
         Then add a fault that it must notice in faults/src/catalogue. ARCHITECTURE.md, \"Adding a requirement\", explains each step."
    )?;
    Ok(())
}

/// Returns the name of the file in `folder` that contains `start`, the beginning of the ids of a subject.
fn file_of(folder: &Path, start: &str) -> Result<Option<String>> {
    if !folder.exists() {
        return Ok(None);
    }
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if text.contains(start) {
            return Ok(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    Ok(None)
}

/// Returns area, subject and property.
fn words(id: &str) -> Result<[&str; 3]> {
    let is_word = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let words: Vec<&str> = id.split('.').collect();
    ensure!(
        words.len() == 3 && words.iter().all(is_word),
        "{id:?} is not an id: write area.subject.property in small letters, digits and hyphens, such as jobs.cancel.idempotent"
    );
    Ok([words[0], words[1], words[2]])
}

fn entry(id: &str, function: &str) -> String {
    format!(
        "        Requirement::new(\n            \"{id}\",\n            \"A sentence that says what every server must do.\",\n            \
         &[],\n            {function},\n        ),"
    )
}

fn check(function: &str) -> String {
    format!(
        "async fn {function}(context: Context, _: Value) -> Verdict {{\n    \
         Err(Halt::inconclusive(format!(\"the check of {{}} is not written\", context.facts().base_url)))\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Arguments, run};

    #[test]
    fn a_new_subject_becomes_a_file_and_an_old_one_keeps_its_file() {
        let root = std::env::temp_dir().join(format!("new_requirement_{}", std::process::id()));
        let arguments = Arguments { id: "job-lists.first-page.has-rows".to_owned() };
        run(&root, &arguments).expect("the file is written");
        let path = root.join("conformance/src/requirements/job_lists/first_page.rs");
        let text = std::fs::read_to_string(&path).expect("the file is there");
        assert!(text.contains("\"job-lists.first-page.has-rows\"") && text.contains("async fn has_rows("), "{text}");
        std::fs::write(&path, "kept").expect("the file is writable");
        run(&root, &arguments).expect("the text is printed");
        assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), "kept");

        std::fs::write(path.with_file_name("pages.rs"), "\"job-lists.last-page.ends\"").expect("the folder is there");
        let arguments = Arguments { id: "job-lists.last-page.has-rows".to_owned() };
        run(&root, &arguments).expect("the text is printed");
        assert!(!path.with_file_name("last_page.rs").exists(), "the subject is in pages.rs");
        std::fs::remove_dir_all(&root).expect("the folder is removed");
        for id in ["jobs.cancel", "Jobs.cancel.x", "jobs..x", "13.1.2"] {
            assert!(run(&root, &Arguments { id: id.to_owned() }).is_err(), "{id}");
        }
    }
}
