//! Checks that a document determines: the cases that requirements draw, and their verdicts on responses and webhooks at every edge of its
//! schemas.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use contentgen_conformance::check::{ArticleIdSource, Capability, Facts, Observe, Requirement, Secrets};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::{Contract as _, Quota};
use contentgen_conformance::spec::{Document, Profile};
use contentgen_conformance::strategies::{Draw, Space};
use serde_json::Value;

use super::answers::{Answer, answers, hooks};

/// Cases that each requirement draws if the number is configurable.
const CASES: u32 = 4;
const SEED: u64 = 7;

/// Evidence from the unchanged document, to compare others with.
pub(super) struct Evidence {
    quotas: Vec<Quota>,
    requirements: Vec<Requirement>,
    observers: Vec<Observe>,
    facts: Facts,
    answers: Vec<Judged>,
    /// Schemas of webhooks, each with bodies at its edges and whether they are valid.
    hooks: Vec<(String, Vec<(Value, bool)>)>,
    cases: Vec<Vec<Value>>,
    /// For each schema, the schemas that it contains.
    parts: BTreeMap<String, BTreeSet<String>>,
    /// The observer and the requirement that detected the last difference, by the kind of bound. Bounds of one name are often detected by
    /// the same checks, so these are tried first.
    last_observer: LastSeen,
    last_requirement: LastSeen,
}

/// Positions in a list by the kind of bound. A new kind starts at 0.
#[derive(Default)]
struct LastSeen(RefCell<BTreeMap<String, usize>>);

impl LastSeen {
    fn get(&self, pointer: &str) -> usize {
        self.0.borrow().get(kind(pointer)).copied().unwrap_or_default()
    }

    fn set(&self, pointer: &str, place: usize) {
        self.0.borrow_mut().insert(kind(pointer).to_owned(), place);
    }
}

/// Returns the last name in `pointer` that is not a list index.
fn kind(pointer: &str) -> &str {
    pointer.rsplit('/').find(|name| name.parse::<usize>().is_err()).unwrap_or_default()
}

/// Parts of the document that describe responses, not requests.
const OF_ANSWERS: [&str; 4] = ["/components/responses/", "/components/headers/", "/paths/", "/x-problem-codes/"];
/// Parts below `/paths/` that describe requests.
const OF_REQUESTS: [&str; 3] = ["/parameters/", "/x-required-scope", "/x-rate-limit-policy"];

/// A response with the document's verdict on it.
struct Judged {
    answer: Answer,
    keeps_schema: bool,
    verdicts: Vec<Option<bool>>,
}

impl Evidence {
    pub(super) fn of(raw: &Value) -> Self {
        let document = Arc::new(Document::from_value(raw.clone(), Profile::Full).unwrap());
        let requirements = catalogue();
        // Requirements that check words of vocabularies come first, because no schema decides on these.
        // This one compares a response with earlier ones, so its verdict on a response changes.
        let is_pure = |one: &&Requirement| one.id != "sequences.responses.consistent";
        let mut looking: Vec<&Requirement> =
            requirements.iter().filter(|one| one.observer().is_some()).filter(is_pure).collect();
        looking.sort_by_key(|requirement| requirement.id != "answers.vocabulary.known");
        let observers: Vec<Observe> = looking.iter().filter_map(|requirement| requirement.observer()).collect();
        let space = Space::new(Arc::clone(&document), "web_1");
        let cases = requirements.iter().map(|requirement| cases(&space, requirement)).collect();
        let facts = facts();
        let judged = |answer: Answer| {
            let keeps_schema = answer.keeps_schema(&document);
            let verdicts = observers.iter().map(|observe| answer.verdict(observe, &document, &facts)).collect();
            Judged { answer, keeps_schema, verdicts }
        };
        let answers = answers(&document, raw).into_iter().map(judged).collect();
        let hooks = hooks(&document, raw).into_iter().map(|(schema, bodies)| {
            let judged = bodies.into_iter().map(|body| (body.clone(), document.accepts(&schema, &body))).collect();
            (schema, judged)
        });
        let (hooks, parts) = (hooks.collect(), parts(document.components()));
        let quotas = ContentGeneration.unannounced_quotas(&document, &facts);
        let [last_observer, last_requirement] = [(); 2].map(|()| LastSeen::default());
        Self { quotas, requirements, observers, facts, answers, hooks, cases, parts, last_observer, last_requirement }
    }

    /// Returns true if the document `edited`, which differs at `pointer`, changes any check.
    pub(super) fn differs(&self, pointer: &str, edited: Value) -> bool {
        let Ok(document) = Document::from_value(edited, Profile::Full) else {
            return false;
        };
        let document = Arc::new(document);
        let schema = pointer.strip_prefix("/components/schemas/").and_then(|rest| rest.split('/').next());
        if schema.is_some_and(|schema| self.another_schema(&document, schema))
            || self.quotas != ContentGeneration.unannounced_quotas(&document, &self.facts)
        {
            return true;
        }
        // Slow checks come last.
        let is_of_requests = OF_REQUESTS.iter().any(|part| pointer.contains(part));
        let is_of_answers =
            OF_ANSWERS.iter().any(|part| pointer.starts_with(part)) || pointer.contains("/x-extensible-enum/");
        if is_of_answers && !is_of_requests {
            return self.another_verdict(&document, pointer) || self.another_case(&document, pointer);
        }
        self.another_case(&document, pointer) || self.another_verdict(&document, pointer)
    }

    /// Returns true if a schema and a requirement judge a response differently, or a schema judges a webhook differently. `changed` is the
    /// edited schema.
    fn another_schema(&self, document: &Document, changed: &str) -> bool {
        let is_made_of = |schema: &str| self.parts[schema].contains(changed);
        let mut hooks = self.hooks.iter().filter(|(schema, _)| is_made_of(schema));
        let another = |schema: &str, bodies: &[(Value, bool)]| {
            bodies.iter().any(|(body, keeps)| document.accepts(schema, body) != *keeps)
        };
        hooks.any(|(schema, bodies)| another(schema, bodies))
            || self.answers.iter().any(|judged| {
                judged.answer.schema.as_deref().is_some_and(is_made_of)
                    && judged.answer.keeps_schema(document) != judged.keeps_schema
                    && (0..self.observers.len()).any(|observer| self.is_another(document, judged, observer))
            })
    }

    fn another_verdict(&self, document: &Document, pointer: &str) -> bool {
        let last = self.last_observer.get(pointer);
        let found = std::iter::once(last).chain(0..self.observers.len()).find(|observer| {
            let mut answers = self.answers.iter().filter(|judged| *observer == 0 || !judged.answer.is_edge);
            answers.any(|judged| self.is_another(document, judged, *observer))
        });
        found.inspect(|observer| self.last_observer.set(pointer, *observer)).is_some()
    }

    fn is_another(&self, document: &Document, judged: &Judged, observer: usize) -> bool {
        judged.answer.verdict(&self.observers[observer], document, &self.facts) != judged.verdicts[observer]
    }

    fn another_case(&self, document: &Arc<Document>, pointer: &str) -> bool {
        let space = Space::new(Arc::clone(document), "web_1");
        let last = self.last_requirement.get(pointer);
        let found = std::iter::once(last)
            .chain(0..self.requirements.len())
            .find(|place| cases(&space, &self.requirements[*place]) != self.cases[*place]);
        found.inspect(|place| self.last_requirement.set(pointer, *place)).is_some()
    }
}

/// Returns the names of the schemas that each schema refers to, at any depth, including its own.
fn parts(components: &Value) -> BTreeMap<String, BTreeSet<String>> {
    fn collect(components: &Value, value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let referred = member.as_str().filter(|_| name == "$ref").and_then(|text| text.rsplit('/').next());
                    match referred {
                        Some(schema) if found.insert(schema.to_owned()) => {
                            collect(components, &components[schema], found);
                        }
                        Some(_) => {}
                        None => collect(components, member, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(components, item, found)),
            _ => {}
        }
    }
    let of = |(name, schema): (&String, &Value)| {
        let mut found = BTreeSet::from([name.clone()]);
        collect(components, schema, &mut found);
        (name.clone(), found)
    };
    components.as_object().unwrap().iter().map(of).collect()
}

fn cases(space: &Space, requirement: &Requirement) -> Vec<Value> {
    let count = requirement.case_count(space, CASES);
    (0..count).map(|index| requirement.draw(space, &mut Draw::new(SEED, requirement.id, index))).collect()
}

fn facts() -> Facts {
    Facts {
        base_url: "http://127.0.0.1:8080".to_owned(),
        website_id: "web_1".to_owned(),
        has_publishing_slots: false,
        other_website_id: None,
        inactive_website_id: None,
        double_opt_in_website_id: None,
        restricted_website_id: None,
        failing_job: None,
        pausable: None,
        clock: None,
        eraser: None,
        restarter: None,
        writer: None,
        capabilities: BTreeSet::from([Capability::LEAD_FORM]),
        article_id_from: ArticleIdSource::Job,
        hook_id_pointer: String::new(),
        ready_within: Duration::from_secs(1),
        is_ready_within_declared: true,
        retry_within: None,
        capture: None,
        own_addresses: BTreeSet::new(),
        started: 0,
        run: "r".to_owned(),
        secrets: Secrets::default(),
    }
}
