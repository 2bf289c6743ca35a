//! The declarations of the server's types, read from its source, and the types that contain personal data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The type that wraps all personal data.
const PERSONAL: &str = "Personal";

/// Fields of types with `Debug` that may show bytes, JSON, or a text with a suspicious name. They contain no input of a person who filled
/// in a form.
const NOT_OF_A_PERSON: &[&str] = &[
    // Responses about jobs, and articles.
    "Accepted.body",
    "IdempotencyRecord.body",
    "StoredArticle.body",
    "WrittenArticle.json_ld",
    // Texts of the server, or of the profile's owner.
    "Failure.message",
    "GenerationError.message",
    "ProfileViolation.message",
    "TextViolation.message",
];

/// A type that can contain any value and shows only its length. A test beside the type checks that, because other modules cannot create
/// one.
const VALUE: &str = "Value";

static DECLARATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:pub(?:\([a-z: ]+\))? )?(?:struct|enum) (\w+)").unwrap());
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*(?:pub(?:\([a-z: ]+\))? )?(\w+)").unwrap());
/// A type's name without a path: `store::Error` is another type than `Error`.
static TYPE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[^:\w])([A-Z]\w*)").unwrap());

/// A type with `Debug`: the names of its fields or variants, and their types.
struct Declaration {
    name: String,
    fields: Vec<(String, String)>,
}

/// Returns every type with `Debug` outside of tests and of the command line's options.
fn declarations() -> Vec<Declaration> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() && path != source.join("config") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.extend(read(text.split("#[cfg(test)]\nmod tests {").next().unwrap()));
            }
        }
    }
    found
}

fn read(text: &str) -> Vec<Declaration> {
    let lines: Vec<&str> = text.lines().collect();
    let declared = lines.iter().enumerate().filter_map(|(at, line)| Some((at, DECLARATION.captures(line)?)));
    let with_debug = declared.filter(|(at, name)| {
        let attributes = lines[..*at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("///"));
        let derives = attributes.into_iter().any(|line| line.starts_with("#[derive(") && line.contains("Debug"));
        derives || Regex::new(&format!(r"Debug for {}\b", &name[1])).unwrap().is_match(text)
    });
    with_debug.map(|(at, name)| Declaration { name: name[1].to_owned(), fields: fields(&lines[at..]) }).collect()
}

/// Returns name and type of each field, or name and content of each variant.
fn fields(lines: &[&str]) -> Vec<(String, String)> {
    if let Some((_, held)) = lines[0].split_once('(') {
        return vec![("0".to_owned(), held.to_owned())];
    }
    if lines[0].ends_with(';') {
        return Vec::new();
    }
    let inside = lines[1..].iter().take_while(|line| !line.starts_with('}'));
    let inside = inside.filter(|line| !line.trim_start().starts_with(['/', '#', '}']));
    inside
        .filter_map(|line| {
            let name = NAME.captures(line)?;
            Some((name[1].to_owned(), line[name[0].len()..].to_owned()))
        })
        .collect()
}

fn holds(held: &str, names: &BTreeSet<String>) -> bool {
    TYPE.captures_iter(held).any(|found| names.contains(&found[1]))
}

/// Returns the types with `Debug` that contain personal data, directly or in another type.
pub(super) fn holders() -> BTreeSet<String> {
    let declarations = declarations();
    let mut names = BTreeSet::from([PERSONAL.to_owned()]);
    loop {
        let more: BTreeSet<_> = declarations
            .iter()
            .filter(|one| one.fields.iter().any(|(_, held)| holds(held, &names)))
            .map(|one| one.name.clone())
            .collect();
        if more.is_subset(&names) {
            return names;
        }
        names.extend(more);
    }
}

/// Returns the fields that could show personal data unprotected.
fn suspects() -> BTreeMap<String, String> {
    let raw = Regex::new(r"\b(?:Bytes|Value|Vec<u8>)\b|\[u8\]").unwrap();
    let text = Regex::new(r"\b(?:String|str|Cow|Vec|BTreeMap|HashMap)\b").unwrap();
    let telling =
        Regex::new("^(?:email|phone|message|body|payload|response_head|response_headers|referrer|utm|form)").unwrap();
    let others = declarations().into_iter().filter(|one| one.name != VALUE);
    let suspects = others.flat_map(|Declaration { name, fields }| {
        let is_suspect = |(field, held): &(String, String)| {
            !held.contains(PERSONAL) && (raw.is_match(held) || telling.is_match(field) && text.is_match(held))
        };
        let fields: Vec<_> = fields.into_iter().filter(is_suspect).collect();
        fields.into_iter().map(move |(field, held)| (format!("{name}.{field}"), held))
    });
    suspects.collect()
}

#[test]
fn what_could_be_of_a_person_is_kept_as_such() {
    let suspects = suspects();
    let forgotten: Vec<_> = suspects.iter().filter(|(field, _)| !NOT_OF_A_PERSON.contains(&field.as_str())).collect();
    assert!(
        forgotten.is_empty(),
        "keep these in domain::personal::Personal, or list them in {} with a reason: {forgotten:#?}",
        file!()
    );
    let gone: Vec<_> = NOT_OF_A_PERSON.iter().filter(|field| !suspects.contains_key(**field)).collect();
    assert!(gone.is_empty(), "these are listed and not there: {gone:?}");
}
