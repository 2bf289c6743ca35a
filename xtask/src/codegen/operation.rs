//! An operation of the document, with everything that its method, its builder and its example need.

use anyhow::{Context as _, Result, bail};
use openapiv3::{Components, OpenAPI, ParameterSchemaOrContent, ReferenceOr, Response, Schema, StatusCode};
use serde_json::Value;

use super::document::{Document, resolve};
use super::schema::{Part, kind, properties};
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
    pub(super) written: openapiv3::Operation,
    pub(super) parameters: Vec<Parameter>,
    /// The schema of the request's body.
    pub(super) body: Option<String>,
    /// The document's description of the body.
    pub(super) body_description: Option<String>,
    /// The schema of the answer.
    pub(super) answer: Option<String>,
    /// The first status of a success, and the last.
    pub(super) statuses: (u16, u16),
    /// The parameters that an example sets, ids of the path first, with their values as Rust code.
    pub(super) example: Vec<(String, String)>,
}

/// One parameter.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) written: openapiv3::Parameter,
    pub(super) schema: ReferenceOr<Schema>,
}

impl Parameter {
    /// Returns true if it is a part of the path.
    pub(super) fn is_in_path(&self) -> bool {
        matches!(self.written, openapiv3::Parameter::Path { .. })
    }

    /// The document's description.
    pub(super) fn description(&self) -> &str {
        self.written.parameter_data_ref().description.as_deref().unwrap_or_default()
    }
}

impl Operation {
    /// The operations of the document whose success is JSON: the client calls no others.
    pub(super) fn all(api: &OpenAPI) -> Result<Vec<Self>> {
        let components = api.components.clone().unwrap_or_default();
        let mut all = Vec::new();
        for (path, method, written) in api.operations() {
            if let Some(id) = &written.operation_id {
                let context = || format!("the operation `{id}`");
                let responses = responses(written, &components).with_context(context)?;
                if !answers_other_media_only(&responses) {
                    let place = (id.as_str(), method, path);
                    all.push(Self::read(place, written, &responses, &components).with_context(context)?);
                }
            }
        }
        Ok(all)
    }

    fn read(
        (id, method, path): (&str, &str, &str),
        written: &openapiv3::Operation,
        responses: &[(StatusCode, &Response)],
        components: &Components,
    ) -> Result<Self> {
        let mut parameters = Vec::new();
        let mut example = Vec::new();
        for parameter in &written.parameters {
            let written = resolve(parameter, components.parameters.iter())?.clone();
            let data = written.parameter_data_ref();
            // Examples set the required parameters, and filters by id.
            if (data.required || data.name.ends_with("_id"))
                && let Some(value) = data.example.as_ref().and_then(literal)
            {
                example.push((snake(&data.name), value));
            }
            let ParameterSchemaOrContent::Schema(schema) = data.format.clone() else {
                bail!("it has a parameter without a schema");
            };
            parameters.push(Parameter { name: data.name.clone(), schema, written });
        }
        let (mut body, mut body_description) = (None, None);
        if let Some(holder) = &written.request_body {
            let holder = resolve(holder, components.request_bodies.iter())?;
            body_description.clone_from(&holder.description);
            if let Some((schema, media)) = json_body(holder.content.iter(), "its request body")? {
                body = Some(schema.to_owned());
                let shown =
                    media.examples.values().next().and_then(|shown| shown.as_item()?.value.as_ref()?.as_object());
                let members = shown.into_iter().flatten();
                example.extend(members.filter_map(|(name, value)| Some((snake(name), literal(value)?))));
            }
        }
        let (answer, statuses) = success(responses)?;
        let (id, method, path) = (id.to_owned(), method.to_owned(), path.to_owned());
        Ok(Self {
            id,
            method,
            path,
            written: written.clone(),
            parameters,
            body,
            body_description,
            answer,
            statuses,
            example,
        })
    }

    /// The names of the schemas that it refers to.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters.iter().filter_map(|parameter| Part::of(&parameter.schema).name());
        parameters.chain(self.body.as_deref()).chain(self.answer.as_deref()).chain([PROBLEM])
    }

    /// The summary, without a full stop.
    pub(super) fn summary(&self) -> &str {
        self.written.summary.as_deref().unwrap_or(&self.id)
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
        self.method == "get" || self.written.extensions.get("x-repeatable") == Some(&Value::Bool(true))
    }

    /// Returns true if it is called without a key.
    pub(super) fn needs_no_key(&self) -> bool {
        self.written.security.as_ref().is_some_and(Vec::is_empty)
    }

    /// The parameter that a field of the builder stands for.
    pub(super) fn parameter(&self, field: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| snake(&parameter.name) == field.trim_end_matches('_'))
    }

    /// The schema of an item, where the operation answers in pages.
    pub(super) fn item<'a>(&self, document: &'a Document) -> Result<Option<&'a str>> {
        if self.parameter("page_token").is_none() {
            return Ok(None);
        }
        let page = self.answer.as_ref().and_then(|name| document.schemas.get(name));
        let member = |wanted: &str| properties(page?).find(|(name, _)| *name == wanted).map(|(_, member)| member);
        let item = member("next_page").and(member("items")).and_then(|items| match kind(items.written()?)? {
            openapiv3::Type::Array(array) => Part::of(array.items.as_ref()?).name(),
            _ => None,
        });
        let fault =
            || format!("`{}` takes a `page_token` but does not return `{{items, next_page}}` of named items", self.id);
        item.map(Some).with_context(fault)
    }
}

/// The responses of an operation, by status.
fn responses<'a>(
    written: &'a openapiv3::Operation,
    components: &'a Components,
) -> Result<Vec<(StatusCode, &'a Response)>> {
    let responses = written.responses.responses.iter();
    responses.map(|(status, response)| Ok((status.clone(), resolve(response, components.responses.iter())?))).collect()
}

/// Returns true for 2xx.
fn is_success(status: &StatusCode) -> bool {
    matches!(status, StatusCode::Code(200..=299) | StatusCode::Range(2))
}

/// Returns true if each success has a body, and no body is JSON.
fn answers_other_media_only(responses: &[(StatusCode, &Response)]) -> bool {
    let mut successes = responses.iter().filter(|(status, _)| is_success(status)).peekable();
    let is_other = |response: &Response| {
        !response.content.is_empty() && !response.content.keys().any(|media_type| is_json(media_type))
    };
    successes.peek().is_some() && successes.all(|(_, response)| is_other(response))
}

/// The schema of the one success, and its statuses. Errors are checked to be problems: the client has one error for all of them.
fn success(responses: &[(StatusCode, &Response)]) -> Result<(Option<String>, (u16, u16))> {
    let mut found: Option<(Option<&str>, (u16, u16))> = None;
    for (status, response) in responses {
        let schema = json_body(response.content.iter(), &format!("its {status} response"))?.map(|(schema, _)| schema);
        if is_success(status) {
            let every = response.extensions.get("x-core-status").is_some_and(|statuses| statuses == "2XX");
            let statuses = match status {
                StatusCode::Code(one) if !every => (*one, *one),
                _ => (200, 299),
            };
            match found {
                Some((first, _)) if first != schema => bail!("it has two success schemas; an operation can have one"),
                Some(_) => found = Some((schema, (200, 299))),
                None => found = Some((schema, statuses)),
            }
        } else if !matches!(status, StatusCode::Code(300..=399)) && schema.is_some_and(|schema| schema != PROBLEM) {
            bail!("its {status} response is not a `{PROBLEM}`; every error response must be one");
        }
    }
    let (schema, statuses) = found.context("it has no success response")?;
    Ok((schema.map(str::to_owned), statuses))
}

/// The JSON of a body, if it has a body: the schema must have a name. Media types beside JSON are ignored.
fn json_body<'a>(
    content: impl Iterator<Item = (&'a String, &'a openapiv3::MediaType)>,
    what: &str,
) -> Result<Option<(&'a str, &'a openapiv3::MediaType)>> {
    let (json, other): (Vec<_>, Vec<_>) = content.partition(|(media_type, _)| is_json(media_type));
    let media = match (json.as_slice(), other.as_slice()) {
        ([], []) => return Ok(None),
        ([], [(name, _), ..]) => bail!("{what} is {name:?}; the client supports only JSON"),
        ([(_, media)], _) => *media,
        _ => bail!("{what} has several media types; the client supports one"),
    };
    let Some(schema) = &media.schema else {
        bail!("{what} is JSON without a schema; name one, or leave the content out");
    };
    let Some(schema) = Part::of(schema).name() else {
        bail!("{what} has an inline schema; move it to `components/schemas`");
    };
    Ok(Some((schema, media)))
}

/// Returns true if a media type is JSON, or a kind of it.
fn is_json(media_type: &str) -> bool {
    media_type.contains("json")
}

/// A value as Rust code.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("{text:?}")),
        Value::Number(number) => Some(number.as_u64()?.to_string()),
        _ => None,
    }
}
