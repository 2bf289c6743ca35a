//! The engine judges by any contract. This one is about a kettle and shares nothing with the contract of this workspace.

use std::sync::Arc;

use contentgen_conformance::check::{
    Capability, Context, Exchange, Finding, Halt, Request, Requirement, Source, ensure,
};
use contentgen_conformance::report::{About, Report, Status};
use contentgen_conformance::runner::{Account, Contract, Outcome, Run, SetUpError, Settings, Suite, Target};
use contentgen_conformance::spec::{Document, Profile, SpecError, Version};

use crate::support::{Fake, Seen, answer};

const KETTLE: &str = "
openapi: 3.1.0
info: { title: Kettle, version: 2.0.0 }
paths:
  /kettle:
    get:
      operationId: read_kettle
      responses:
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Kettle' } } } }
components:
  schemas:
    Kettle: { type: object, required: [degrees], properties: { degrees: { type: integer, maximum: 100 } } }
";

const SOURCES: &[Source] = &[Source::Part("/components/schemas/Kettle")];
const LID: Capability = Capability::new("lid", "the kettle has no lid");

#[derive(Debug)]
struct Kettle;

fn read() -> Request {
    Request { operation: Some("read_kettle"), ..Request::outside("GET", "/kettle") }
}

impl Contract for Kettle {
    fn document(&self, profile: Profile) -> Result<Arc<Document>, SpecError> {
        Document::parse(KETTLE, profile).map(Arc::new)
    }

    fn probe(&self) -> Request {
        read()
    }

    fn catalogue(&self) -> Vec<Requirement> {
        let boils = async |context: Context, _| {
            let kettle = context.send(read()).await?;
            let violations = context.document().violations("Kettle", kettle.json().unwrap_or_default());
            let violations = violations.map_err(|error| Halt::Error(error.to_string()))?;
            ensure(violations.is_empty(), "at most 100 degrees", || format!("{:?}", kettle.json()))
        };
        let looks = async |context: Context, _| context.send(read()).await.map(drop);
        let whistles = |_: &Document, _: &_, exchange: &Exchange| {
            let found = exchange.header("whistle") == Some("on");
            Some(if found { Ok(()) } else { Err(Finding::new("whistle: on", exchange.line())) })
        };
        vec![
            Requirement::new("kettle.heat.boils", "It never exceeds 100 degrees.", SOURCES, boils),
            Requirement::new("kettle.lid.closes", "The lid closes.", SOURCES, boils).needs(&[LID]),
            Requirement::new("kettle.sound.whistles", "It whistles.", SOURCES, looks)
                .since(Version::new(1, 10, 0))
                .observing(whistles),
        ]
    }
}

async fn judge(degrees: u32, whistle: &'static str) -> Run {
    judge_as(degrees, whistle, None).await
}

/// Judges a kettle that declares this version of the document.
async fn judge_as(degrees: u32, whistle: &'static str, document_version: Option<Version>) -> Run {
    attempt(degrees, whistle, document_version).await.unwrap()
}

async fn attempt(degrees: u32, whistle: &'static str, document_version: Option<Version>) -> Result<Run, SetUpError> {
    let kettle = Fake::start(move |_: &Seen| {
        let headers = [("content-type", "application/json"), ("whistle", whistle)];
        answer(200, &headers, format!(r#"{{"degrees":{degrees}}}"#).as_bytes())
    });
    let account = Account { api_key: "kettle-key-0123456789".to_owned(), website_id: None };
    let settings = Settings { seed: 3, ..Settings::default() };
    let target = Target { document_version, ..Target::new(&kettle.base_url, account) };
    Suite::new(Kettle, target).with(settings).run(&|_| {}).await
}

/// Returns the failed requirements, and the skipped ones with the reason.
fn told(run: &Run) -> (Vec<&str>, Vec<(&str, &str)>) {
    let failed = run.results.iter().filter(|result| matches!(result.outcome, Outcome::Failed(_)));
    let skipped = run.results.iter().filter_map(|result| match &result.outcome {
        Outcome::NotApplicable(reason) => Some((result.requirement.id, reason.as_str())),
        _ => None,
    });
    (failed.map(|result| result.requirement.id).collect(), skipped.collect())
}

#[tokio::test]
async fn another_contract_is_judged_by_the_same_engine() {
    let no_lid = [("kettle.lid.closes", "the kettle has no lid")];
    let right = judge(99, "on").await;
    assert_eq!(told(&right), (vec![], no_lid.to_vec()));
    assert_eq!((right.results.len(), right.document_version.as_str()), (3, "2.0.0"));
    assert_eq!(told(&judge(101, "on").await).0, ["kettle.heat.boils"]);
    assert_eq!(told(&judge(99, "off").await).0, ["kettle.sound.whistles"]);
}

#[tokio::test]
async fn a_requirement_that_is_newer_than_the_declared_document_only_warns() {
    for (declared, status) in
        [(None, Status::Failed), (Some((1, 10, 0)), Status::Failed), (Some((1, 9, 0)), Status::Warned)]
    {
        let declared = declared.map(|(major, minor, patch)| Version::new(major, minor, patch));
        let run = judge_as(99, "off", declared).await;
        let report = Report::new(&run, About::default());
        let row = report.requirements.iter().find(|row| row.id == "kettle.sound.whistles").unwrap();
        assert_eq!((row.status, row.since.as_str()), (status, "1.10.0"), "{declared:?}");
        let is_newer = status == Status::Warned;
        let reason = is_newer.then_some("stated since document 1.10.0, and the target declares 1.9.0");
        assert_eq!(row.reason.as_deref(), reason);
        let note = "requirements that are newer than document 1.9.0, which the target declares, only warn: 1";
        assert_eq!(report.notes.iter().any(|one| one == note), is_newer, "{:?}", report.notes);
    }
    assert!(told(&judge_as(101, "on", Some(Version::new(1, 9, 0))).await).0.contains(&"kettle.heat.boils"));
}

/// An earlier version would make a recommendation of every requirement.
#[tokio::test]
async fn a_document_that_the_suite_does_not_know_cannot_be_declared() {
    for declared in [Version::new(0, 0, 9), Version::new(2, 0, 1)] {
        let error = attempt(99, "on", Some(declared)).await.unwrap_err().to_string();
        assert!(error.contains("this suite knows the documents from 0.1.0 to 2.0.0, and not"), "{error}");
    }
}
