//! Operations of the document: method, path, parameters and responses.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use super::SpecError;
use super::schema;

/// The methods of OpenAPI.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// One operation of the document.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `operationId`. It lives as long as the process, because every request carries it.
    pub id: &'static str,
    /// Upper-case method.
    pub method: String,
    /// Path template below the server's base, such as `/api/v1/jobs/{job_id}`.
    pub path: String,
    /// Parameters with their schemas, references resolved.
    pub parameters: Vec<Parameter>,
    /// True if it is called with a key (`security`).
    pub needs_key: bool,
    /// The scope that a key needs for it (`x-required-scope`).
    pub scope: Option<String>,
    /// The quota that it is charged to (`x-rate-limit-policy`).
    pub policy: Option<String>,
    /// Name of the component schema of the JSON request body.
    pub request_schema: Option<String>,
    /// Names of the component schemas of the request body, by media type.
    pub request_bodies: Vec<(String, String)>,
    /// Documented statuses with the component schema of the JSON response, if it has one.
    pub answers: Vec<(String, Option<String>)>,
    /// Headers of the documented responses.
    pub headers: Vec<AnswerHeader>,
    /// Documented statuses with the problem codes that the response may have (`x-codes`), if they are listed.
    pub codes: Vec<(String, Vec<String>)>,
}

/// A header of one documented response.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerHeader {
    /// The status it is documented for.
    pub status: String,
    /// Its name in lower case.
    pub name: String,
    /// True if every such response must contain it.
    pub required: bool,
    /// The schema of its value, converted.
    pub schema: Value,
}

/// One parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Name as sent.
    pub name: String,
    /// `query`, `path` or `header`.
    pub location: String,
    /// Its schema, converted.
    pub schema: Value,
    /// An example value of the document.
    pub example: Option<String>,
}

impl Operation {
    /// Returns the schema of the response with `status`: the exact status, otherwise the range `2XX`, otherwise `default`.
    pub fn answer_schema(&self, status: u16) -> Option<&str> {
        let range = format!("{}XX", status / 100);
        let exact = status.to_string();
        [exact.as_str(), range.as_str(), "default"]
            .iter()
            .find_map(|key| self.answers.iter().find(|(status, _)| status == key))
            .and_then(|(_, schema)| schema.as_deref())
    }

    /// Returns true if `status` is documented, exactly or by its range; `default` does not count.
    pub fn names_status(&self, status: u16) -> bool {
        let range = format!("{}XX", status / 100);
        let exact = status.to_string();
        self.answers.iter().any(|(named, _)| *named == exact || *named == range)
    }

    /// Returns the documented header `name`, in lower case, of the response with `status`.
    pub fn answer_header(&self, status: u16, name: &str) -> Option<&AnswerHeader> {
        let status = status.to_string();
        self.headers.iter().find(|header| header.status == status && header.name == name)
    }

    /// Returns the problem codes that a response with exactly this `status` may have, if the document lists them.
    pub fn answer_codes(&self, status: u16) -> Option<&[String]> {
        let exact = status.to_string();
        self.codes.iter().find(|(status, _)| *status == exact).map(|(_, codes)| codes.as_slice())
    }

    /// Returns the problem codes of the `default` response.
    pub fn default_codes(&self) -> &[String] {
        self.codes.iter().find(|(status, _)| status == "default").map_or(&[], |(_, codes)| codes.as_slice())
    }

    /// Returns the parameter of that name at that location: `query`, `path` or `header`.
    pub fn parameter(&self, location: &str, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.location == location && parameter.name == name)
    }

    /// Returns the path with a made-up id for each parameter. It begins like the parameter's example, but no record has it.
    pub fn made_up_path(&self) -> String {
        let parameters = self.parameters.iter().filter(|parameter| parameter.location == "path");
        parameters.fold(self.path.clone(), |path, parameter| {
            let example = parameter.example.as_deref().unwrap_or_default();
            let prefix = example.split_once('_').map_or(String::new(), |(prefix, _)| format!("{prefix}_"));
            path.replace(&format!("{{{}}}", parameter.name), &format!("{prefix}x"))
        })
    }

    /// Returns every component schema that a request or a response uses.
    pub fn schemas(&self) -> impl Iterator<Item = String> {
        let sent = self.request_bodies.iter().map(|(_, schema)| schema.clone());
        self.answers.iter().filter_map(|(_, schema)| schema.clone()).chain(sent)
    }
}

/// Returns all operations of `document`, by path.
pub(super) fn all(document: &Value) -> Result<Vec<Operation>, SpecError> {
    let paths = document["paths"].as_object().ok_or_else(|| SpecError::Missing("paths".to_owned()))?;
    below(document, paths)
}

/// Returns all webhooks, as operations whose path is the event type (`x-webhooks`).
pub(super) fn hooks(document: &Value) -> Result<Vec<Operation>, SpecError> {
    document["x-webhooks"].as_object().map_or_else(|| Ok(Vec::new()), |kinds| below(document, kinds))
}

fn below(document: &Value, paths: &Map<String, Value>) -> Result<Vec<Operation>, SpecError> {
    let mut operations = Vec::new();
    for (path, item) in paths {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                operations.push(read(document, path, item, method, operation)?);
            }
        }
    }
    Ok(operations)
}

fn read(document: &Value, path: &str, item: &Value, method: &str, operation: &Value) -> Result<Operation, SpecError> {
    let id = operation["operationId"]
        .as_str()
        .ok_or_else(|| SpecError::Missing(format!("operationId for {method} {path}")))?;
    let parameters = [item, operation]
        .iter()
        .filter_map(|holder| holder["parameters"].as_array())
        .flatten()
        .map(|parameter| resolve(document, parameter))
        .map(|parameter| Parameter {
            name: text(&parameter["name"]),
            location: text(&parameter["in"]),
            schema: schema::draft4(resolve(document, &parameter["schema"])),
            example: parameter["example"].as_str().map(ToOwned::to_owned),
        })
        .collect();
    let request = resolve(document, &operation["requestBody"]);
    let answers = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| (status.clone(), json_schema(resolve(document, answer))))
        .collect();
    let headers = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .flat_map(|(status, answer)| headers(document, status, resolve(document, answer)))
        .collect();
    let codes = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(status, answer)| Some((status.clone(), words(&resolve(document, answer)["x-codes"])?)))
        .collect();
    Ok(Operation {
        headers,
        codes,
        id: kept(id),
        method: method.to_uppercase(),
        path: path.to_owned(),
        parameters,
        needs_key: !operation.get("security").unwrap_or(&document["security"]).as_array().is_none_or(Vec::is_empty),
        scope: operation["x-required-scope"].as_str().map(ToOwned::to_owned),
        policy: operation["x-rate-limit-policy"].as_str().map(ToOwned::to_owned),
        request_schema: json_schema(request),
        request_bodies: bodies(request),
        answers,
    })
}

/// Returns a name that lives as long as the process. Each is kept once, regardless of the number of documents.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = name.to_owned().leak();
    names.insert(name);
    name
}

fn words(list: &Value) -> Option<Vec<String>> {
    list.as_array().map(|words| words.iter().map(text).collect())
}

fn headers(document: &Value, status: &str, answer: &Value) -> Vec<AnswerHeader> {
    let declared = answer["headers"].as_object().into_iter().flatten();
    declared
        .map(|(name, header)| (name, resolve(document, header)))
        .map(|(name, header)| AnswerHeader {
            status: status.to_owned(),
            name: name.to_lowercase(),
            required: header["required"] == true,
            schema: schema::draft4(&header["schema"]),
        })
        .collect()
}

/// Follows `$ref`s inside the document; a broken one returns `null`.
fn resolve<'document>(document: &'document Value, mut value: &'document Value) -> &'document Value {
    while let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        value = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    }
    value
}

fn json_schema(holder: &Value) -> Option<String> {
    let (_, schema) = bodies(holder).into_iter().find(|(media_type, _)| media_type.contains("json"))?;
    Some(schema)
}

/// Returns the names of component schemas by media type; skips media types without a named schema.
fn bodies(holder: &Value) -> Vec<(String, String)> {
    let content = holder["content"].as_object().into_iter().flatten();
    let named = content.filter_map(|(media_type, content)| {
        let name = content["schema"]["$ref"].as_str()?.rsplit('/').next()?;
        Some((media_type.clone(), name.to_owned()))
    });
    named.collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
