//! The space that a run draws from: the document's schemas with the target's own values filled in.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Value, json};

use super::boundary::{self, boundaries};
use super::breakage::{Breakage, breakages};
use super::draw::Draw;
use super::parameter::{self, ParameterKind};
use super::pattern::Pattern;
use super::value::{Overrides, valid};
use crate::spec::Document;

/// Topics beyond ASCII, and with special characters of a shell, a template, SQL, HTML or a path.
const SCRIPTS: [&str; 8] = [
    "\u{1f6b2} Cycling to work \u{1f469}\u{200d}\u{1f467}",
    "\u{5317}\u{4eac}\u{7684}\u{81ea}\u{884c}\u{8f66}",
    "\u{631}\u{643}\u{648}\u{628} \u{627}\u{644}\u{62f}\u{631}\u{627}\u{62c}\u{629}",
    "Cafe\u{301} culture in Z\u{fc}rich \u{2013} \u{201e}why\u{201c}?",
    "O'Brien's \"best\" bikes; 100% & more -- a list",
    "Why <b> and </b> matter in a page",
    "Using {{ name }} and ${HOME} in letters",
    "C:\\new\\table or /etc/hosts: paths explained",
];

/// Topics that any writer can write about, regardless of its rules.
const PLAIN_TOPICS: [&str; 12] = [
    "How to choose a bicycle for daily commuting",
    "A beginner's guide to sourdough bread",
    "Planning a small vegetable garden",
    "Keeping houseplants alive in winter",
    "How to prepare a home for a puppy",
    "Choosing paint for a sunny kitchen",
    "A weekend plan for cleaning the garage",
    "How to read a bus timetable",
    "Packing light for a week away",
    "Making coffee without a machine",
    "Learning to swim as an adult",
    "Storing winter clothes in spring",
];

/// The space from which one run draws its cases.
#[derive(Debug)]
pub struct Space {
    document: Arc<Document>,
    website_id: String,
    generate: SBoxedStrategy<Value>,
    edges: Vec<SBoxedStrategy<Value>>,
    breakages: Vec<Breakage>,
    form_bounds: Vec<Value>,
    key: Option<Pattern>,
}

impl Space {
    /// Returns the space of `document` for requests about `website_id`.
    pub fn new(document: Arc<Document>, website_id: &str) -> Self {
        let components = document.components();
        let schema = document.schema("GenerateRequest");
        let overrides = overrides(website_id, schema);
        let base = json!({ "topic": PLAIN_TOPICS[0], "website_id": website_id });
        let generate = usual(valid(components, schema, &overrides));
        let edges = boundaries(components, schema, &base, &["website_id"]).into_iter().map(usual).collect();
        let breakages = breakages(components, schema);
        let form = document.operation("capture_lead").and_then(|found| found.request_schema.as_deref());
        let form_bounds = boundary::form_bounds(components, document.schema(form.unwrap_or_default()));
        let key = document.operation("generate").and_then(|found| found.parameter("header", "Idempotency-Key"));
        let key = key.and_then(|key| Pattern::read(key.schema["pattern"].as_str()?));
        let website_id = website_id.to_owned();
        Self { document, website_id, generate, edges, breakages, form_bounds, key }
    }

    /// Returns the document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the smallest request that the service description shows.
    pub fn documented_request(&self, draw: &mut Draw) -> Value {
        json!({ "topic": self.plain_topic(draw), "website_id": self.website_id })
    }

    /// Returns the same with a topic of characters that cause injection if text is treated as code.
    pub fn topic_in_any_script(&self, draw: &mut Draw) -> Value {
        json!({ "topic": SCRIPTS[draw.index() % SCRIPTS.len()], "website_id": self.website_id })
    }

    /// Returns a topic that any writer can write about.
    pub fn plain_topic(&self, draw: &mut Draw) -> &'static str {
        let _ = self;
        // Each of them is as simple as any other.
        draw.value(&select(PLAIN_TOPICS.to_vec()).no_shrink())
    }

    /// Returns a valid request: values at the edges first, then random ones.
    pub fn valid_request(&self, draw: &mut Draw) -> Value {
        match self.edges.get(draw.index()) {
            Some(edge) => draw.value(edge),
            None => draw.value(&self.generate),
        }
    }

    /// Returns a valid request for searches with few cases: alternates edges from the whole schema with random ones.
    pub fn mixed_request(&self, draw: &mut Draw) -> Value {
        let edge = draw.index() / 2 * 11 % self.edges.len();
        draw.value(if draw.index().is_multiple_of(2) { &self.edges[edge] } else { &self.generate })
    }

    /// Returns the number of requests at the edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns every single breakage of a request, in a fixed order.
    pub fn breakages(&self) -> &[Breakage] {
        &self.breakages
    }

    /// Returns the breakages whose error must have the code `code`.
    pub fn breakages_named(&self, code: &str) -> Vec<&Breakage> {
        let named = |breakage: &&Breakage| breakage.code == code;
        self.breakages.iter().filter(named).collect()
    }

    /// Returns `{operation, parameter, value}` for every query parameter of that kind: values at the edges of its schema.
    pub fn parameters_taken(&self, kind: ParameterKind) -> Vec<Value> {
        parameter::taken(&self.document, kind)
    }

    /// Returns `{operation, parameter, value, codes}` for every query parameter of that kind: values beyond its schema.
    pub fn parameters_refused(&self, kind: ParameterKind) -> Vec<Value> {
        parameter::refused(&self.document, kind)
    }

    /// Returns a query of a list: any of its parameters except the page token, each with a valid value, by name.
    pub fn list_query(&self, operation: &str, draw: &mut Draw) -> Value {
        draw.value(&parameter::queries(&self.document, operation, &self.website_id))
    }

    /// Returns the bounds of the lead form: `{place, length, as}`, where `as` is `taken` or `refused`.
    pub fn form_bounds(&self) -> &[Value] {
        &self.form_bounds
    }

    /// Returns idempotency keys that match the pattern, with every part at its shortest and at its longest.
    pub fn keys_at_ends(&self, draw: &mut Draw) -> Vec<String> {
        let ends = self.key.as_ref().map(Pattern::ends).unwrap_or_default();
        // Twice each, for the branches of the pattern.
        ends.iter().flat_map(|texts| [texts, texts]).map(|texts| draw.value(texts)).collect()
    }

    /// Returns idempotency keys that do not match the pattern, because one part is one too long or too short.
    pub fn keys_beyond(&self) -> &[String] {
        self.key.as_ref().map(Pattern::beyond).unwrap_or_default()
    }
}

/// Excludes language tags with a repeated subtag: they match the grammar, but RFC 5646 calls them invalid.
fn usual(requests: SBoxedStrategy<Value>) -> SBoxedStrategy<Value> {
    let has_subtag_twice = |tag: &str| {
        let subtags: Vec<String> = tag.split('-').map(str::to_lowercase).collect();
        subtags.iter().enumerate().any(|(place, subtag)| subtags[..place].contains(subtag))
    };
    requests
        .prop_filter("language tags without a subtag that stands twice", move |body| {
            !body["language"].as_str().is_some_and(has_subtag_twice)
        })
        .sboxed()
}

fn overrides(website_id: &str, schema: &Value) -> Overrides {
    let bound = |name: &str| schema["properties"]["target_word_count"][name].as_i64();
    let (least, most) = (bound("minimum").unwrap_or(1), bound("maximum").unwrap_or(1));
    let words = prop_oneof![6 => least..=most.min(least + 60), 1 => least..=most];
    Overrides::from([
        ("/website_id", Just(Value::from(website_id)).sboxed()),
        ("/target_word_count", words.prop_map(Value::from).sboxed()),
        // Publishing every drawn article would flood the webhook checks.
        ("/auto_publish", Just(Value::from(false)).sboxed()),
    ])
}
