//! An operation of the document, with everything that its method, its builder and its example need.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use super::json::{is_marked, json_body, properties, single_reference, target, text};
use super::words::snake;

/// The header by which a server recognises a repeated request.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The schema of every error response with a body.
const PROBLEM: &str = "Problem";

/// One operation.
#[derive(Debug)]
pub(super) struct Operation {
    /// The `operationId`.
    pub(super) id: String,
    /// The method, in small letters.
    pub(super) method: String,
    pub(super) path: String,
    /// The operation as written.
    pub(super) written: Map<String, Value>,
    pub(super) parameters: Vec<Parameter>,
    /// The schema of the request's body.
    pub(super) body: Option<String>,
    /// The schema of the answer.
    pub(super) answer: Option<String>,
    /// The first status of a success, and the last.
    pub(super) statuses: (u16, u16),
    /// The parameters that an example sets, ids of the path first, with their values as Rust code.
    pub(super) example: Vec<(String, String)>,
}

/// One parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// `path`, `query` or `header`.
    pub(super) place: String,
    pub(super) is_required: bool,
    pub(super) description: String,
    pub(super) schema: Value,
}

impl Parameter {
    /// Returns true if it is a part of the path.
    pub(super) fn is_in_path(&self) -> bool {
        self.place == "path"
    }
}

impl Operation {
    /// The operations of the document `root`.
    pub(super) fn all(root: &Value) -> Result<Vec<Self>> {
        let paths = root.get("paths").and_then(Value::as_object).into_iter().flatten();
        let mut all = Vec::new();
        for (path, item) in paths {
            for (method, written) in item.as_object().into_iter().flatten() {
                if let Some(id) = text(written, "operationId") {
                    let read = Self::read(root, (id, method.as_str(), path.as_str()), written);
                    all.push(read.with_context(|| format!("the operation `{id}`"))?);
                }
            }
        }
        Ok(all)
    }

    fn read(root: &Value, (id, method, path): (&str, &str, &str), written: &Value) -> Result<Self> {
        let mut parameters = Vec::new();
        let mut example = Vec::new();
        for parameter in written.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            let parameter = target(root, parameter)?;
            let (Some(name), Some(place)) = (text(parameter, "name"), text(parameter, "in")) else {
                bail!("it has a parameter without `name` or `in`");
            };
            let is_required = is_marked(parameter, "required");
            // Examples set the required parameters, and filters by id.
            if (is_required || name.ends_with("_id"))
                && let Some(value) = parameter.get("example").and_then(literal)
            {
                example.push((snake(name), value));
            }
            let description = text(parameter, "description").unwrap_or_default().to_owned();
            let schema = parameter.get("schema").cloned().context("it has a parameter without a schema")?;
            parameters.push(Parameter {
                name: name.to_owned(),
                place: place.to_owned(),
                is_required,
                description,
                schema,
            });
        }
        let mut body = None;
        if let Some(holder) = written.get("requestBody")
            && let Some((schema, media)) = json_body(target(root, holder)?, "its request body")?
        {
            body = Some(schema.to_owned());
            let shown = media.get("examples").and_then(|examples| examples.as_object()?.values().next()?.get("value"));
            let members = shown.and_then(Value::as_object).into_iter().flatten();
            example.extend(members.filter_map(|(name, value)| Some((snake(name), literal(value)?))));
        }
        let (answer, statuses) = success(root, written)?;
        let (id, method, path) = (id.to_owned(), method.to_owned(), path.to_owned());
        let written = written.as_object().cloned().unwrap_or_default();
        Ok(Self { id, method, path, written, parameters, body, answer, statuses, example })
    }

    /// The summary, without a full stop.
    pub(super) fn summary(&self) -> &str {
        self.written.get("summary").and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// The parameters of the path, which no call can do without.
    pub(super) fn in_path(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.is_in_path())
    }

    /// Returns true if a server recognises a repeated request by its key.
    pub(super) fn accepts_idempotency_key(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == IDEMPOTENCY_KEY)
    }

    /// Returns true if repeating it has the effect of one call.
    pub(super) fn is_repeatable(&self) -> bool {
        self.method == "get" || self.written.get("x-repeatable") == Some(&Value::Bool(true))
    }

    /// Returns true if it is called without a key.
    pub(super) fn needs_no_key(&self) -> bool {
        self.written.get("security").and_then(Value::as_array).is_some_and(Vec::is_empty)
    }

    /// The parameter that a field of the builder stands for.
    pub(super) fn parameter(&self, field: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| snake(&parameter.name) == field.trim_end_matches('_'))
    }

    /// The schema of an item, where the operation answers in pages. `schemas` are those of the document, by name.
    pub(super) fn item<'a>(&self, schemas: &'a Map<String, Value>) -> Result<Option<&'a str>> {
        if self.parameter("page_token").is_none() {
            return Ok(None);
        }
        let page = self.answer.as_ref().and_then(|name| schemas.get(name));
        let member = |wanted: &str| properties(page?).find(|(name, _)| *name == wanted).map(|(_, member)| member);
        let item = member("next_page").and(member("items")).and_then(|items| single_reference(items.get("items")?));
        let fault =
            || format!("`{}` takes a `page_token` but does not return `{{items, next_page}}` of named items", self.id);
        item.map(Some).with_context(fault)
    }
}

/// The schema of the one success, and its statuses. Errors are checked to be problems: the client has one error for all of them.
fn success(root: &Value, written: &Value) -> Result<(Option<String>, (u16, u16))> {
    let mut found: Option<(Option<&str>, (u16, u16))> = None;
    for (status, response) in written.get("responses").and_then(Value::as_object).into_iter().flatten() {
        let response = target(root, response)?;
        let schema = json_body(response, &format!("its {status} response"))?.map(|(schema, _)| schema);
        if status.starts_with('2') {
            let every = text(response, "x-core-status").is_some_and(|statuses| statuses == "2XX");
            let one = status.parse().unwrap_or(200);
            let statuses = if every { (200, 299) } else { (one, one) };
            match found {
                Some((first, _)) if first != schema => bail!("it has two success schemas; an operation can have one"),
                Some(_) => found = Some((schema, (200, 299))),
                None => found = Some((schema, statuses)),
            }
        } else if !status.starts_with('3') && schema.is_some_and(|schema| schema != PROBLEM) {
            bail!("its {status} response is not a `{PROBLEM}`; every error response must be one");
        }
    }
    let (schema, statuses) = found.context("it has no success response")?;
    Ok((schema.map(str::to_owned), statuses))
}

/// A value as Rust code.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("{text:?}")),
        Value::Number(number) => Some(number.as_u64()?.to_string()),
        _ => None,
    }
}
