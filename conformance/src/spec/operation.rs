//! Operations of the document: method, path, parameters and the answers it names.
//!
//! How a request is built from one lives in `requirements`.

use serde_json::Value;

use super::SpecError;

/// The methods that OpenAPI knows.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// One operation of the document.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `operationId`.
    pub id: String,
    /// Upper-case method.
    pub method: String,
    /// Path template below the server's base, such as `/api/v1/jobs/{job_id}`.
    pub path: String,
    /// Parameters with their schemas, references resolved.
    pub parameters: Vec<Parameter>,
    /// Name of the component schema of the JSON request body.
    pub request_schema: Option<String>,
    /// Documented statuses with the component schema of the JSON answer, if it has one.
    pub answers: Vec<(String, Option<String>)>,
    /// Headers of the documented answers.
    pub headers: Vec<AnswerHeader>,
}

/// A header of one documented answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerHeader {
    /// The status it is documented for.
    pub status: String,
    /// Its name in lower case.
    pub name: String,
    /// Whether every such answer must carry it.
    pub required: bool,
}

/// One parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Name as sent.
    pub name: String,
    /// `query`, `path` or `header`.
    pub location: String,
    /// Its schema as written in the document.
    pub schema: Value,
}

impl Operation {
    /// The schema of the answer with `status`: the exact status, else the range `2XX`, else `default`.
    pub fn answer_schema(&self, status: u16) -> Option<&str> {
        let range = format!("{}XX", status / 100);
        let exact = status.to_string();
        [exact.as_str(), range.as_str(), "default"]
            .iter()
            .find_map(|key| self.answers.iter().find(|(status, _)| status == key))
            .and_then(|(_, schema)| schema.as_deref())
    }

    /// Whether `status` is named, as such or by its range; `default` does not count.
    pub fn names_status(&self, status: u16) -> bool {
        let range = format!("{}XX", status / 100);
        let exact = status.to_string();
        self.answers.iter().any(|(named, _)| *named == exact || *named == range)
    }

    /// The header `name`, in lower case, of the answer with `status`, if it is documented.
    pub fn answer_header(&self, status: u16, name: &str) -> Option<&AnswerHeader> {
        let status = status.to_string();
        self.headers.iter().find(|header| header.status == status && header.name == name)
    }

    /// Every component schema that a request or an answer uses.
    pub fn schemas(&self) -> impl Iterator<Item = String> {
        self.answers.iter().filter_map(|(_, schema)| schema.clone()).chain(self.request_schema.clone())
    }
}

/// All operations of `document`, in its order.
pub(super) fn all(document: &Value) -> Result<Vec<Operation>, SpecError> {
    let paths = document["paths"].as_object().ok_or_else(|| SpecError::Missing("paths".to_owned()))?;
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
            schema: resolve(document, &parameter["schema"]).clone(),
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
    Ok(Operation {
        headers,
        id: id.to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        parameters,
        request_schema: json_schema(request),
        answers,
    })
}

fn headers(document: &Value, status: &str, answer: &Value) -> Vec<AnswerHeader> {
    let declared = answer["headers"].as_object().into_iter().flatten();
    declared
        .map(|(name, header)| AnswerHeader {
            status: status.to_owned(),
            name: name.to_lowercase(),
            required: resolve(document, header)["required"] == true,
        })
        .collect()
}

/// Follows `$ref`s inside the document; a broken one reads as `null`.
fn resolve<'document>(document: &'document Value, mut value: &'document Value) -> &'document Value {
    while let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        value = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    }
    value
}

fn json_schema(holder: &Value) -> Option<String> {
    holder["content"]
        .as_object()?
        .iter()
        .find(|(media_type, _)| media_type.contains("json"))
        .and_then(|(_, content)| content["schema"]["$ref"].as_str())
        .and_then(|reference| reference.rsplit('/').next())
        .map(ToOwned::to_owned)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
