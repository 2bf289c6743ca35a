//! `cargo xtask tidy` on small workspaces: a clean one passes, and each rule finds what breaks it.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const MODULES: &str = "\
| Crate | Module | May import | What |
|---|---|---|---|
| server-stub | `domain` | – | rules |
| server-stub | `storage` | `domain` | rows |
| server-stub | `http` | `app`, `domain` | routes |
| server-stub | `app` | `domain` | use cases |

| server-stub | `late` | – | behind the table |
";

/// A workspace that keeps every rule.
fn clean() -> TempDir {
    let root = tempfile::tempdir().expect("there is room for a temporary folder");
    write(root.path(), "ARCHITECTURE.md", MODULES);
    write(root.path(), "server-stub/Cargo.toml", &manifest("contentgen-server-stub", ""));
    write(root.path(), "server-stub/src/lib.rs", "//! Modules.\nmod app;\nmod domain;\nmod http;\nmod storage;\n");
    write(root.path(), "server-stub/src/domain/mod.rs", "//! Rules.\npub(crate) mod job;\n");
    write(root.path(), "server-stub/src/domain/job.rs", "//! Jobs.\npub(crate) struct Job;\n");
    write(root.path(), "server-stub/src/app.rs", "//! Use cases.\nuse crate::domain::job::Job;\n");
    write(root.path(), "server-stub/src/http.rs", "//! Routes.\nuse crate::{app, domain::job};\n");
    write(root.path(), "server-stub/src/storage.rs", "//! Rows. Not for crate::http.\nuse super::domain;\n");
    root
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\n\n[lints]\nworkspace = true\n{rest}")
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}

/// Runs tidy; returns true if it passes, and its output.
fn tidy(root: &Path) -> (bool, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tidy").arg("--root").arg(root).output().expect("xtask runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

/// Writes one file into a clean workspace and returns what tidy says about it.
fn broken(path: &str, text: &str) -> String {
    let root = clean();
    write(root.path(), path, text);
    let (passed, output) = tidy(root.path());
    assert!(!passed, "tidy passes:\n{output}");
    assert!(output.contains("tidy found 1 faults"), "{output}");
    output
}

#[test]
fn a_clean_workspace_passes() {
    let root = clean();
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn a_link_that_is_dead_in_the_package_of_a_crate_is_found() {
    for (path, text) in [
        ("server-stub/README.md", "# Crate\n\nSee [the service](../docs/service.md).\n"),
        ("server-stub/src/guide.md", "# Guide\n\n[service]: ../../docs/service.md\n"),
        ("server-stub/src/app.rs", "//! Use cases.\n\n/// See [limits](limits.md#sizes).\npub(crate) struct Job;\n"),
    ] {
        let output = broken(path, text);
        assert!(output.contains(&format!("{path}:3: the link to ")), "{output}");
    }
    let root = clean();
    let links = "[a](https://a.example/b.md) [b](#heading) [c](crate::domain::job) [d]: https://a.example\n";
    write(root.path(), "server-stub/README.md", links);
    write(root.path(), "docs/guide.md", "[a](../README.md)\n");
    write(
        root.path(),
        "tools/Cargo.toml",
        &format!("{}\n", manifest("tools", "").replace("\n\n", "\npublish = false\n\n")),
    );
    write(root.path(), "tools/README.md", "[a](../docs/guide.md)\n");
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn an_import_that_the_table_does_not_allow_is_found_with_its_line() {
    let output = broken("server-stub/src/storage.rs", "//! Rows.\n\nuse crate::http;\n");
    assert!(
        output.contains("server-stub/src/storage.rs:3: module `storage` of server-stub imports `http`"),
        "{output}"
    );
}

#[test]
fn an_import_in_a_group_is_found() {
    let output = broken("server-stub/src/storage.rs", "//! Rows.\nuse crate::{domain::{job, job::Job}, app};\n");
    assert!(output.contains("imports `app`"), "{output}");
}

#[test]
fn an_import_by_way_of_super_is_found() {
    let output =
        broken("server-stub/src/domain/job.rs", "//! Jobs.\nmod tests {\n    use super::super::super::app;\n}\n");
    assert!(output.contains("server-stub/src/domain/job.rs:3"), "{output}");
}

#[test]
fn a_path_inside_a_macro_is_found() {
    let output =
        broken("server-stub/src/domain/job.rs", "//! Jobs.\nfn show() { format!(\"{}\", crate::app::NAME); }\n");
    assert!(output.contains("imports `app`"), "{output}");
}

#[test]
fn a_runtime_input_output_a_clock_or_randomness_in_the_domain_is_found_and_elsewhere_or_in_its_tests_it_is_not() {
    for (name, text) in [
        ("tokio", "use tokio::sync::Notify;"),
        ("rand", "fn draw() -> u8 { rand::random() }"),
        ("fs", "use std::{fmt, fs::read};"),
        ("net", "fn bind() { std::net::TcpListener::bind(\"\"); }"),
        ("SystemTime", "use std::time::SystemTime;"),
        ("Instant", "use std::time::{Duration, Instant};"),
    ] {
        let output = broken("server-stub/src/domain/job.rs", &format!("//! Jobs.\n{text}\n"));
        assert!(output.contains(&format!("server-stub/src/domain/job.rs:2: the domain uses `{name}`")), "{output}");
    }
    let root = clean();
    let tested = "//! Jobs.\nuse std::time::Duration;\n#[cfg(test)]\nmod tests {\n    use rand::Rng;\n}\n";
    write(root.path(), "server-stub/src/domain/job.rs", tested);
    write(root.path(), "server-stub/src/app.rs", "//! Use cases.\nuse tokio::sync::Notify;\n");
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn a_file_outside_of_every_module_is_found() {
    let output = broken("server-stub/src/late.rs", "//! Behind the table.\n");
    assert!(output.contains("`late` of server-stub is not in the table of modules"), "{output}");
}

#[test]
fn a_file_of_501_lines_is_found_and_one_of_500_is_not() {
    let root = clean();
    write(root.path(), "server-stub/src/domain/job.rs", &"//! Jobs.\n".repeat(500));
    assert!(tidy(root.path()).0);
    let output = broken("server-stub/src/domain/job.rs", &"//! Jobs.\n".repeat(501));
    assert!(output.contains("501 lines"), "{output}");
}

#[test]
fn a_generated_file_may_be_long() {
    let root = clean();
    write(root.path(), "sdk/src/generated.rs", &("// @generated\n".to_owned() + &"//! Long.\n".repeat(900)));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn a_function_in_a_table_of_contents_is_found() {
    let output = broken("server-stub/src/domain/mod.rs", "//! Rules.\nmod job;\nfn rule() {}\n");
    assert!(output.contains("server-stub/src/domain/mod.rs:3"), "{output}");
}

#[test]
fn a_requirement_outside_its_area_and_a_subject_in_two_files_are_found() {
    let root = clean();
    let table = MODULES.replace(
        "| server-stub | `domain` | – | rules |",
        "| server-stub | `domain` | – | rules |\n| conformance | `requirements` | – | what must hold |",
    );
    write(root.path(), "ARCHITECTURE.md", &table);
    let file = |ids: [&str; 2]| {
        let [one, other] = ids;
        format!(
            "//! HTML.\npub(crate) fn requirements() -> Vec<Requirement> {{\n    vec![\n        \
             must(\"{one}\", \"Clause.\", check),\n        must(\"{other}\", \"Clause.\", check),\n    ]\n}}\n"
        )
    };
    let [content, data] = ["content", "data"].map(|name| format!("conformance/src/requirements/articles/{name}.rs"));
    write(root.path(), &content, &file(["articles.html.safe", "articles.markdown.plain"]));
    write(root.path(), &data, &file(["articles.json-ld.graph", "articles.faq.plain"]));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");

    write(root.path(), &data, &file(["articles.json-ld.graph", "articles.html.outline"]));
    let (passed, output) = tidy(root.path());
    assert!(!passed && output.contains("data.rs:5") && output.contains("articles/content.rs"), "{output}");

    write(root.path(), &data, &file(["jobs.cancel.ends", "articles.faq.plain"]));
    let (passed, output) = tidy(root.path());
    assert!(!passed && output.contains("data.rs:4") && output.contains("requirements/jobs"), "{output}");

    write(root.path(), &data, "//! No requirement.\npub(crate) fn step() {}\n");
    let (passed, output) = tidy(root.path());
    assert!(!passed && output.contains("data.rs:1") && output.contains("conformance/src/steps"), "{output}");
}

#[test]
fn an_image_without_a_version_one_that_runs_as_root_and_a_copy_of_nothing_are_found() {
    let right = "FROM rust:1.95 AS build\nCOPY . .\nRUN one \\\n    && two\nFROM debian:12 AS last\nCOPY --from=build /a /b\nUSER me\n";
    let root = clean();
    write(root.path(), "Dockerfile", right);
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
    for (from, to, line, fault) in [
        ("rust:1.95", "rust", 1, "no version"),
        ("debian:12", "debian:latest", 5, "no version"),
        ("COPY . .", "COPY gone .", 2, "gone is copied, but does not exist"),
        ("USER me", "USER root", 5, "runs as root"),
        ("USER me\n", "", 5, "runs as root"),
    ] {
        let output = broken("Dockerfile", &right.replace(from, to));
        assert!(output.contains(&format!("Dockerfile:{line}: ")) && output.contains(fault), "{to}: {output}");
    }
}

#[test]
fn an_action_whose_caller_could_run_anything_is_found() {
    let right = "inputs:\n  url:\n    description: Where.\nruns:\n  using: composite\n  steps:\n    - name: Go\n      shell: bash\n      env:\n        URL: ${{ inputs.url }}\n      run: curl \"$URL\"\n";
    let root = clean();
    write(root.path(), "action.yml", right);
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
    for (from, to, fault) in [
        ("\"$URL\"", "${{ inputs.url }}", "the script of `Go` contains an expression"),
        ("      shell: bash\n", "", "`Go` has no shell"),
        ("description: Where.", "default: x", "the input url has no description"),
        ("URL: ${{ inputs.url }}", "URL: x", "the input url is not used"),
        ("curl \"$URL\"", "cargo run \"$URL\"", "`Go` runs cargo in the caller's folder"),
        ("    - name: Go", "    - uses: some/thing@v4\n    - name: Go", "uses some/thing@v4"),
    ] {
        let output = broken("action.yml", &right.replace(from, to));
        assert!(output.contains(fault), "{to}: {output}");
    }
}

#[test]
fn a_crate_without_the_lints_is_found() {
    let output = broken("examples/Cargo.toml", "[package]\nname = \"examples\"\n");
    assert!(output.contains("does not inherit"), "{output}");
}

#[test]
fn the_judge_may_not_depend_on_the_judged_except_by_its_feature() {
    let rest = "\n[dependencies]\ncontentgen-server-stub = { workspace = true, optional = true }\n";
    let feature = "\n[features]\nreference = [\"dep:contentgen-server-stub\"]\n";
    let output = broken("conformance/Cargo.toml", &manifest("contentgen-conformance", rest));
    assert!(output.contains("contentgen-conformance depends on contentgen-server-stub"), "{output}");

    let root = clean();
    write(root.path(), "conformance/Cargo.toml", &manifest("contentgen-conformance", &format!("{rest}{feature}")));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn the_judge_may_know_the_judged_in_one_file_only() {
    let root = clean();
    write(root.path(), "conformance/src/reference.rs", "//! Starts it.\nuse contentgen_server_stub::server;\n");
    write(root.path(), "conformance/src/main.rs", "//! Does not know contentgen_server_stub.\n");
    assert!(tidy(root.path()).0);
    let output = broken("conformance/src/runner/plan.rs", "//! Plans.\nuse contentgen_server_stub::server;\n");
    assert!(output.contains("conformance/src/runner/plan.rs:2: the suite imports the reference server"), "{output}");
}

#[test]
fn a_deliberate_mistake_in_the_reference_server_is_found_wherever_it_is_named() {
    for (path, text) in [
        ("server-stub/src/domain/job.rs", "//! Jobs.\n// As a Slip: twice.\n"),
        ("server-stub/src/domain/job.rs", "//! Jobs.\nfn start_with_fault() {}\n"),
        ("server-stub/src/domain/job.rs", "//! Jobs.\nstruct ArmedFaults;\n"),
        ("server-stub/tests/jobs.rs", "//! Jobs.\nconst SWITCHES: u8 = 0;\n"),
        ("server-stub/README.md", "# Server\nOne switch for each.\n"),
    ] {
        let output = broken(path, text);
        assert!(output.contains(&format!("{path}:2: `")) && output.contains("in the reference server"), "{output}");
        assert!(output.contains("Deliberate faults belong in the crate `faults`."), "{output}");
    }
    let output = broken("server-stub/Cargo.toml", &manifest("server", "\n[features]\nfaults = []\n"));
    assert!(output.contains("`faults` in the reference server"), "{output}");
}

#[test]
fn other_words_of_the_reference_server_and_its_articles_and_other_crates_are_let_be() {
    let root = clean();
    write(root.path(), "server-stub/src/domain/job.rs", "//! Jobs by default.\n// Switched to slippers: Default.\n");
    write(
        root.path(),
        "server-stub/src/generation/offline/words.rs",
        "//! Words.\nconst VERBS: &str = \"skip slip\";\n",
    );
    write(root.path(), "server-stub/src/generation.rs", "//! Articles.\n");
    write(
        root.path(),
        "ARCHITECTURE.md",
        &format!("{MODULES}\n").replace(
            "| server-stub | `app` | `domain` | use cases |",
            "| server-stub | `app` | `domain` | use cases |\n| server-stub | `generation` | – | articles |",
        ),
    );
    write(root.path(), "conformance/tests/broken.rs", "//! One fault for each slip.\n");
    write(root.path(), "server-stub/tests/models.rs", "//! Models.\nuse contentgen_faults::model::DIALECTS;\n");
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn a_rule_that_no_test_holds_is_found() {
    let page =
        |rules: &str| format!("# Page\n\n## What always holds\n\n{rules}\n## Modules\n\n1. Nothing.\n\n{MODULES}");
    let test = "//! Jobs.\n#[test]\nfn jobs_end() {}\n";
    let root = clean();
    write(root.path(), "server-stub/tests/jobs.rs", test);
    let held = "1. Jobs end. Held by\n   `jobs_end`.\n2. No prints.\n   Held by `clippy::print_stdout` and `cargo xtask tidy`.\n";
    write(root.path(), "ARCHITECTURE.md", &page(held));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");

    let output = broken("ARCHITECTURE.md", &page("1. Jobs\n   `end`.\n"));
    assert!(output.contains("ARCHITECTURE.md:5: a rule without a test or check"), "{output}");
    // Named in a comment only.
    let output = broken(
        "ARCHITECTURE.md",
        &page("1. No prints. Held by `cargo xtask tidy`.\n2. Jobs end. Held by `jobs_end`.\n"),
    );
    assert!(output.contains("ARCHITECTURE.md:6: there is no test `jobs_end`"), "{output}");
}

#[test]
fn a_defence_that_no_test_holds_is_found() {
    let page = |tests: &str| {
        format!(
            "# Page\n\n| Asset | Where |\n|---|---|\n| a | b |\n\n| Attack | Defence | Tests |\n|---|---|---|\n| a | b | {tests} |\n"
        )
    };
    let root = clean();
    write(root.path(), "server-stub/tests/jobs.rs", "//! Jobs.\n#[test]\nfn jobs_end() {}\n");
    write(root.path(), "docs/security.md", &page("`jobs_end`"));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
    let output = broken("docs/security.md", &page("`jobs_end`"));
    assert!(output.contains("docs/security.md:9: there is no test `jobs_end`"), "{output}");
    let output = broken("docs/security.md", &page("none"));
    assert!(output.contains("docs/security.md:9: a rule without a test or check"), "{output}");
}

#[test]
fn unfinished_work_is_found() {
    let mark = ["TO", "DO"].concat();
    let output = broken("server-stub/src/domain/job.rs", &format!("//! Jobs.\n// {mark}: more\n"));
    assert!(output.contains("server-stub/src/domain/job.rs:2"), "{output}");
}

#[test]
fn a_lint_switched_off_is_found_but_not_in_code_that_is_quoted() {
    let output = broken("server-stub/src/domain/job.rs", "//! Jobs.\n#[allow(dead_code)]\nstruct Job;\n");
    assert!(output.contains("server-stub/src/domain/job.rs:2"), "{output}");

    let root = clean();
    write(root.path(), "server-stub/src/domain/job.rs", "//! Jobs.\nfn job() { quote!{ #![allow(dead_code)] }; }\n");
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");
}

#[test]
fn a_clock_in_a_test_is_found_unless_the_file_is_listed_with_a_reason() {
    let sleeps = "fn wait() { std::thread::sleep(LIMIT); }\n";
    for (path, text, name, line) in [
        ("server-stub/tests/jobs.rs", format!("//! Jobs.\n{sleeps}"), "sleep", 2),
        (
            "server-stub/tests/jobs.rs",
            "//! Jobs.\nfn now() { let begun = Instant::now(); }\n".to_owned(),
            "Instant::now",
            2,
        ),
        (
            "server-stub/tests/jobs.rs",
            "//! Jobs.\nfn took() { assert!(begun.elapsed() < LIMIT); }\n".to_owned(),
            "elapsed",
            2,
        ),
        ("server-stub/src/domain/job/tests.rs", format!("//! Jobs.\n{sleeps}"), "sleep", 2),
        ("server-stub/src/http.rs", format!("//! Routes.\n#[cfg(test)]\nmod tests {{\n    {sleeps}}}\n"), "sleep", 4),
    ] {
        let output = broken(path, &text);
        assert!(output.contains(&format!("{path}:{line}: a test uses the machine's clock: `{name}`")), "{output}");
    }

    let root = clean();
    let page =
        "# Contributing\n\n| Test file | Why it uses a clock |\n|---|---|\n| `server-stub/tests/until.rs` | Polls. |\n";
    write(root.path(), "CONTRIBUTING.md", page);
    write(root.path(), "server-stub/tests/until.rs", &format!("//! Polls.\n{sleeps}"));
    write(root.path(), "server-stub/src/http.rs", &format!("//! Routes. Programs may sleep.\n{sleeps}"));
    let (passed, output) = tidy(root.path());
    assert!(passed, "{output}");

    write(root.path(), "server-stub/tests/until.rs", "//! Uses no clock any more.\nuse std::time::Instant;\n");
    let (passed, output) = tidy(root.path());
    assert!(!passed && output.contains("CONTRIBUTING.md:5: server-stub/tests/until.rs uses no clock"), "{output}");
}

#[test]
fn a_missing_table_of_modules_is_told_in_a_sentence() {
    let root = clean();
    write(root.path(), "ARCHITECTURE.md", "# Nothing\n");
    let (passed, output) = tidy(root.path());
    assert!(!passed);
    assert!(output.contains("has no table with the columns"), "{output}");
}
