//! `write` and the commands about voices in files.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::program::{PROGRAM, assert_fails, run, text};

const VOICE: &str = r#"
name = "Workshop"
point_of_view = "second_person"
contractions = "avoid"
max_sentence_words = 20
faq_count = 2

[vocabulary]
avoid = ["game changer"]
replace = [{ from = "utilize", to = "use" }]

[cta]
text = "Book a fitting"
url = "https://bikes.example/book"
"#;

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Runs the program with a text on its standard input.
fn run_with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

#[test]
fn an_article_is_written_without_a_server_or_a_database() {
    let folder = folder_with(&[("voice.toml", VOICE)]);
    let options = ["--topic", "Setting up <b>brakes</b>", "--words", "400", "--voice", "voice.toml"];
    let write = |more: &[&str]| run(folder.path(), &[&["write"], options.as_slice(), more].concat());

    let markdown = text(&write(&["--keyword", "brake pads, cable"]).stdout);
    assert!(markdown.starts_with("# ") && markdown.contains("\n## Questions and answers\n\n### "), "{markdown}");
    for wanted in ["brake pads", "cable", "[Book a fitting](https://bikes.example/book)"] {
        assert!(markdown.contains(wanted), "{wanted} is not in {markdown}");
    }
    let html = text(&write(&["--format", "html"]).stdout);
    assert!(html.starts_with("<article lang=\"en\">\n<h1>") && html.trim_end().ends_with("</article>"), "{html}");
    assert!(!html.contains("<b>"), "{html}");

    let json = write(&["--format", "json", "--output", "article.json"]);
    assert_eq!((json.status.code(), text(&json.stdout).as_str()), (Some(0), ""));
    let article: Value = serde_json::from_slice(&std::fs::read(folder.path().join("article.json")).unwrap()).unwrap();
    assert_eq!((&article["voice"]["passed"], &article["generator"]), (&true.into(), &"offline".into()));
    assert_eq!(article["faq"].as_array().map(Vec::len), Some(2));

    // A file keeps its permissions, and a link keeps its target.
    let (kept, link) = (folder.path().join("article.json"), folder.path().join("link.json"));
    std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("article.json", &link).unwrap();
    std::fs::write(&kept, "former").unwrap();
    assert_eq!(write(&["--format", "json", "--output", "link.json"]).status.code(), Some(0));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(std::fs::read_to_string(&kept).unwrap().contains("\"generator\""));
    std::fs::remove_file(link).unwrap();

    let piped = run_with_input(folder.path(), &["write", "--topic", "-", "--words", "200"], "Sharpening a plane\n");
    assert!(text(&piped.stdout).to_lowercase().contains("plane"), "{}", text(&piped.stderr));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn what_cannot_be_ordered_is_told_all_at_once() {
    let folder = folder_with(&[
        ("members.toml", "nam = \"x\"\n[vocabulary]\navoids = [\"x\"]\n[reading_grade]\nmin = 9\nmax = 30\n"),
        ("syntax.toml", "name = \n"),
        ("kind.toml", "emoji = \"some\"\n"),
        ("binary.toml", "\u{0}"),
        ("long.md", &"word ".repeat(250_000)),
    ]);
    std::fs::write(folder.path().join("latin.md"), [0x66, 0xfc, 0x72]).unwrap();
    let long = "x".repeat(81);
    let wrong =
        run(folder.path(), &["write", "--topic", " ", "--words", "10", "--language", "en_US", "--keyword", &long]);
    for option in ["--topic: ", "--words: ", "--language: ", "--keyword: "] {
        assert_fails(&wrong, 2, option);
    }
    let write = |voice: &str| run(folder.path(), &["write", "--topic", "Brakes", "--voice", voice]);
    for member in ["nam: ", "vocabulary.avoids: ", "reading_grade.max: ", "voice template"] {
        assert_fails(&write("members.toml"), 2, member);
    }
    assert_fails(&write("syntax.toml"), 2, "line 1, column 8");
    assert_fails(&write("kind.toml"), 2, "expected `none` or `allow`");
    assert_fails(&write("binary.toml"), 2, "binary.toml is not a valid voice file");
    assert_fails(&write("missing.toml"), 2, "missing.toml cannot be opened");
    let check = |file: &str| run(folder.path(), &["voice", "check", file, "--voice", "missing.toml"]);
    assert_fails(&check("long.md"), 2, "missing.toml");
    let learn = |file: &str| run(folder.path(), &["voice", "learn", file]);
    assert_fails(&learn("long.md"), 2, "larger than 1 MiB");
    assert_fails(&learn("latin.md"), 2, "UTF-8");
    assert_fails(&learn("kind.toml"), 2, "at least 300");
    let unwritable = ["write", "--topic", "Brakes", "--output", "missing/article.md"];
    assert_fails(&run(folder.path(), &unwritable), 1, "missing/article.md cannot be written");
}

#[test]
fn a_text_is_judged_by_rule_and_place() {
    let text_in_question = "---\ntitle: utilize\n---\n# You\n\nYou utilize \u{e9} pads, and don't ask. A **game\nchanger** for your bike!\n";
    let folder = folder_with(&[
        ("voice.toml", VOICE),
        ("post.md", text_in_question),
        (
            "good.md",
            "Your brakes squeal: look at the pads, and at the cable that leads to them.\n\n[Book a fitting](https://bikes.example/book)\n",
        ),
    ]);
    let check = |more: &[&str]| run(folder.path(), &[&["voice", "check", "--voice", "voice.toml"], more].concat());
    let broken = check(&["post.md", "good.md"]);
    assert_fails(&broken, 1, "broken at 5 places in 2 texts");
    let expected = [
        "post.md: cta_present: ",
        "post.md:6:5: replacements: expected \"use\", observed \"utilize\"",
        "post.md:6:25: contractions: expected none, observed \"don't\"",
        "post.md:6:40: banned_terms: expected none of the terms, observed \"game changer\"",
        "post.md:7:24: exclamations: expected at most 0, observed \"!\"",
        "post.md: ",
        "good.md: 10 of 10 rules are kept",
    ];
    let out = text(&broken.stdout);
    assert_eq!(out.lines().count(), expected.len(), "{out}");
    for (line, beginning) in out.lines().zip(expected) {
        assert!(line.starts_with(beginning), "{line:?} does not begin with {beginning:?}");
    }
    let lines = text(&check(&["post.md", "--json"]).stdout);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[1]["line"], &lines[1]["column"]), (5, &6.into(), &5.into()));
    assert_eq!((&lines[0]["line"], &lines[3]["rule"]), (&Value::Null, &"banned_terms".into()));
    assert_eq!(check(&["good.md"]).status.code(), Some(0));
    let piped = run_with_input(folder.path(), &["voice", "check", "-", "--voice", "voice.toml"], "You utilize it.");
    assert_fails(&piped, 1, "broken at 2 places");
}

#[test]
fn a_learnt_voice_can_be_written_in_and_checked_against() {
    let articles: Vec<String> = ["Chains", "Saddles", "Lamps"]
        .map(|topic| {
            let folder = folder_with(&[("voice.toml", VOICE)]);
            let options = ["write", "--topic", topic, "--words", "500", "--voice", "voice.toml"];
            text(&run(folder.path(), &options).stdout)
        })
        .to_vec();
    let folder = folder_with(&[("a.md", &articles[0]), ("b.md", &articles[1]), ("c.md", &articles[2])]);
    let files = ["a.md", "b.md", "c.md"];
    let learnt = run(folder.path(), &[&["voice", "learn", "--output", "learnt.toml"], files.as_slice()].concat());
    assert_eq!(learnt.status.code(), Some(0), "{}", text(&learnt.stderr));
    let voice = std::fs::read_to_string(folder.path().join("learnt.toml")).unwrap();
    assert!(voice.contains("contractions = \"avoid\"") && voice.contains("# None in "), "{voice}");
    let written = run(folder.path(), &["write", "--topic", "Pedals", "--voice", "learnt.toml", "--output", "d.md"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let checked = run(folder.path(), &["voice", "check", "d.md", "--voice", "learnt.toml"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let template = folder_with(&[("voice.toml", &text(&run(folder.path(), &["voice", "template"]).stdout))]);
    let written = run(template.path(), &["write", "--topic", "Pedals", "--voice", "voice.toml"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
}
