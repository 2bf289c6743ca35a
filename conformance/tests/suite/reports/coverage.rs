//! A run with known exchanges reports exactly the parts of the document that it covered, and why it did not cover the rest.

use std::sync::Arc;

use contentgen_conformance::check::{Capability, Context, Request, Requirement, Source, Verdict};
use contentgen_conformance::coverage::{Part, PartKind};
use contentgen_conformance::report::{About, PartReport, Report};
use contentgen_conformance::runner::{Account, Contract, Run, Selection, Settings, Shard, Suite, Target};
use contentgen_conformance::spec::{Document, Profile, SpecError};
use serde_json::json;

use crate::support::cli::Workplace;
use crate::support::{Fake, Seen, answer};

const OVEN: &str = "
openapi: 3.0.3
info: { title: Oven, version: 1.0.0 }
paths:
  /loaves:
    get:
      operationId: list_loaves
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 9 } }
        - { name: state, in: query, schema: { type: string, enum: [raw, baked] } }
        - { name: Prefer, in: header, schema: { type: string } }
      responses: { '200': {}, '429': {}, '500': {} }
    post:
      operationId: bake
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Loaf' } } } }
      responses: { '201': {}, '401': {}, '422': {}, default: {} }
  /loaves/{id}:
    delete:
      operationId: eat
      parameters: [{ name: id, in: path, required: true, schema: { type: string, minLength: 1 } }]
      responses: { '204': {} }
x-problem-codes:
  too_hot: { status: 422, title: Too hot }
  no_flour: { status: 429, title: No flour }
components:
  schemas:
    Loaf:
      type: object
      required: [name]
      properties:
        name: { type: string, maxLength: 4 }
        seeds: { type: array, maxItems: 2, items: { type: string, minLength: 1 } }
";

/// A measured list of the requirements that usually cover each part.
const MEASURED: &str = "part,requirements
list_loaves,loaves.list.all
list_loaves query limit,loaves.list.all loaves.list.limit
list_loaves header Prefer,loaves.list.prefer
list_loaves 429,loaves.flour.refused
no_flour,loaves.flour.refused
list_loaves query limit maximum beyond,loaves.list.prefer
bake 401,loaves.bake.names
body too long edge,gone.requirement.here
eat,loaves.eat.full
";

const SOURCES: &[Source] = &[Source::Part("/components/schemas/Oven")];
const FLOUR: Capability = Capability::new("flour", "no bag of flour is configured ([target.flour])");

#[derive(Debug)]
struct Oven;

fn list(query: &str) -> Request {
    Request { operation: Some("list_loaves"), ..Request::outside("GET", &format!("/loaves{query}")) }
}

async fn bake(context: Context, names: &[serde_json::Value]) -> Verdict {
    for body in names {
        // Method and path determine the operation.
        context.send(Request::outside("POST", "/loaves").json(body)).await?;
    }
    Ok(())
}

impl Contract for Oven {
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError> {
        Document::parse(OVEN, profile).map(Arc::new)
    }

    fn probe(&self) -> Request {
        list("")
    }

    fn catalogue(&self) -> Vec<Requirement> {
        let all = async |context: Context, _| context.send(list("?limit=9&state=raw")).await.map(drop);
        let limit = async |context: Context, _| context.send(list("?limit=5&state=burnt")).await.map(drop);
        let names = async |context: Context, _| {
            let (edge, beyond) = (json!({ "name": "\u{1f600}oat" }), json!({ "name": "wheat" }));
            bake(context, &[edge, beyond, json!({ "seeds": ["", "a", "b"] })]).await
        };
        let nothing = async |_: Context, _| Ok(());
        let of = |id, check| Requirement::new(id, "It holds.", SOURCES, check);
        vec![
            Requirement::new("loaves.bake.names", "Names are kept.", SOURCES, names).core(),
            Requirement::new("loaves.eat.full", "It can be eaten.", SOURCES, nothing),
            of("loaves.flour.refused", nothing).core().needs(&[FLOUR]),
            Requirement::new("loaves.list.all", "All are listed.", SOURCES, all).core(),
            Requirement::new("loaves.list.limit", "Some are listed.", SOURCES, limit).core(),
            of("loaves.list.prefer", nothing).core(),
        ]
    }

    fn measured_coverage(&self) -> &'static str {
        MEASURED
    }

    fn unreachable(&self, part: &Part) -> Option<&'static str> {
        (part.kind == PartKind::Status && part.name == "500").then_some("would be a fault of the oven")
    }
}

async fn run(settings: Settings) -> Run {
    let oven = Fake::start(|seen: &Seen| {
        let headers = [("content-type", "application/problem+json")];
        match seen.method.as_str() {
            "GET" => answer(200, &headers, b"[]"),
            _ if seen.body.starts_with(br#"{"name":"wheat"#) => answer(422, &headers, br#"{"code":"too_hot"}"#),
            _ => answer(201, &headers, b"{}"),
        }
    });
    let account = Account { api_key: "oven-key-0123456789".to_owned(), website_id: None };
    Suite::new(Oven, Target::new(&oven.base_url, account)).with(settings).run(&|_| {}).await.unwrap()
}

/// Returns one line for each part: the requirements that covered it, or the reason why none did.
fn table(run: &Run) -> Vec<String> {
    let line = |part: &PartReport| {
        let name = match &part.operation {
            Some(operation) if *operation != part.name => format!("{operation} {}", part.name),
            _ => part.name.clone(),
        };
        assert_eq!(part.is_met, part.reason.is_none(), "{name}");
        let by = [&part.met_by[..], &part.beyond_by[..]].concat().join(" ");
        format!("{name} | {}", part.reason.clone().unwrap_or(by))
    };
    Report::new(run, About::default()).coverage.parts.iter().map(line).collect()
}

fn settings(profile: Profile) -> Settings {
    Settings { seed: 5, profile, ..Settings::default() }
}

#[tokio::test]
async fn a_run_whose_exchanges_are_known_gives_exactly_this_table() {
    let run = run(settings(Profile::Core)).await;
    let lines = table(&run);
    assert_eq!(
        lines,
        [
            "list_loaves | loaves.list.all loaves.list.limit",
            "list_loaves 200 | loaves.list.all loaves.list.limit",
            "list_loaves 429 | no bag of flour is configured ([target.flour])",
            "list_loaves 500 | no requirement causes it: would be a fault of the oven",
            "list_loaves query limit | loaves.list.all loaves.list.limit",
            "list_loaves query state | loaves.list.all loaves.list.limit",
            "list_loaves header Prefer | loaves.list.prefer ended before it sent it",
            "list_loaves query limit maximum | loaves.list.prefer ended before it sent it",
            "list_loaves query limit minimum | no requirement sends a value at its edge",
            "list_loaves query limit type | no requirement sends a value just beyond it",
            // One of two values is not full coverage.
            "list_loaves query state enum | no requirement sends a value at its edge",
            "bake | loaves.bake.names",
            "bake 201 | loaves.bake.names",
            "bake 401 | no response of the target had it",
            "bake 422 | loaves.bake.names",
            "bake body required name | loaves.bake.names loaves.bake.names",
            "bake body type | no requirement sends a value just beyond it",
            "bake body /name maxLength | loaves.bake.names loaves.bake.names",
            "bake body /name type | no requirement sends a value just beyond it",
            "bake body /seeds maxItems | no requirement sends a value at its edge",
            "bake body /seeds type | no requirement sends a value just beyond it",
            "bake body /seeds/* minLength | loaves.bake.names loaves.bake.names",
            "bake body /seeds/* type | no requirement sends a value just beyond it",
            "eat | not in the profile core",
            "eat 204 | no requirement causes it",
            "eat path id | no requirement sends it",
            "no_flour | no bag of flour is configured ([target.flour])",
            "too_hot | loaves.bake.names",
        ]
    );
    let totals: Vec<_> =
        Report::new(&run, About::default()).coverage.totals.iter().map(|total| (total.met, total.total)).collect();
    assert_eq!(totals, [(2, 3), (2, 4), (3, 7), (1, 2), (3, 12)]);
}

#[tokio::test]
async fn what_was_not_asked_for_is_no_gap_of_the_target() {
    let only = Selection { only: vec!["loaves.list.limit".to_owned()], skip: Vec::new() };
    let narrow = table(&run(Settings { selection: only, ..settings(Profile::Core) }).await);
    for line in [
        "bake 401 | left out by --only or --skip",
        "no_flour | left out by --only or --skip",
        "eat | not in the profile core",
        "list_loaves query limit | loaves.list.limit",
    ] {
        assert!(narrow.contains(&line.to_owned()), "{line} in {narrow:#?}");
    }
    let second: Shard = "2/6".parse().unwrap();
    let part = table(&run(Settings { shard: Some(second), ..settings(Profile::Full) }).await);
    assert!(part.contains(&"bake 401 | in another part of the run (--shard)".to_owned()), "{part:#?}");
}

#[test]
fn every_report_tells_the_coverage_and_programs_read_it() {
    let fake = Fake::constant(404, "{}");
    let place = Workplace::new();
    let only = ["--only", "auth.missing.refused", "--only", "limits", "--profile", "full", "--report-dir", "r"];
    let ended = place.run(&[&["run", "--base-url", &fake.base_url, "--cases", "4"], &only[..]].concat());
    let coverage = &place.json("r/report.json")["coverage"];
    let parts = coverage["parts"].as_array().unwrap();
    let part = |operation: &str, name: &str| {
        parts
            .iter()
            .find(|part| part["operation"] == operation && part["name"] == name)
            .unwrap_or_else(|| panic!("{operation} {name} is no part"))
    };
    assert_eq!(part("generate", "generate")["is_met"], true);
    assert!(part("generate", "401")["reason"].is_string());
    assert_eq!(part("generate", "body /topic x-trimmed-length max")["reason"], "left out by --only or --skip");
    let needs_quota = part("list_articles", "429")["reason"].as_str().unwrap();
    assert!(needs_quota.contains("[target.small_quota]"), "{needs_quota}");
    let (page, summary) = (place.read("r/report.html"), place.read("r/summary.md"));
    for text in [&ended.output, &summary] {
        assert!(text.contains(" of 13 operations, ") && text.contains(" problem codes, "), "{text}");
    }
    for text in [&page, &summary] {
        assert!(text.contains("rate_limited") && text.contains("left out by --only or --skip"), "{text}");
    }
}
