//! The changes that the policy allows. Each function makes one kind at a random place of a document.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::places::{self, Change, escaped};
use super::random::Random;

/// Declares the kinds in one table, so that each has a name and a function that makes it.
macro_rules! additions {
    ($( $variant:ident, $name:literal, $make:ident; )+) => {
        /// A kind of change that the policy allows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum AdditionKind {
            $( $variant, )+
        }

        impl AdditionKind {
            /// All kinds.
            pub(super) const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Returns the name used in reports.
            pub(super) fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            fn maker(self) -> fn(&mut Value, &mut Random) -> Option<(String, String)> {
                match self { $( Self::$variant => $make, )+ }
            }
        }
    };
}

additions! {
    AnswerMember, "new field of responses", answer_member;
    RequestMember, "new optional field of requests", request_member;
    Parameter, "new optional parameter", parameter;
    Operation, "new operation", operation;
    Value, "new value of an open vocabulary", value;
    Event, "new event type", event;
    ProblemCode, "new problem code", problem_code;
    Header, "new response header", header;
    ErrorStatus, "new error status", error_status;
    FilterValue, "new value to filter by", filter_value;
    RequestBound, "wider bound of requests", request_bound;
    RequestMediaType, "new media type of requests", request_media_type;
    Limit, "new limit", limit;
    AlwaysThere, "optional field that is always present", always_there;
}

impl AdditionKind {
    /// The kinds that leave the existing parts of the document unchanged.
    pub(super) const PURE: &'static [Self] = &[
        Self::AnswerMember,
        Self::RequestMember,
        Self::Parameter,
        Self::Operation,
        Self::Value,
        Self::Event,
        Self::ProblemCode,
        Self::Header,
        Self::ErrorStatus,
        Self::Limit,
    ];
}

/// Makes a change of a kind. Returns `None` if the document has no place for it.
pub(super) fn make(document: &mut Value, kind: AdditionKind, random: &mut Random) -> Option<Change<AdditionKind>> {
    let (place, what) = kind.maker()(document, random)?;
    Some(Change { kind, place, what })
}

fn answer_member(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let objects = places::objects(document, places::received_schemas(document));
    let schema = random.one_of(&objects)?.clone();
    let name = fresh_name(document, random);
    let member = member_schema(random, 0);
    if random.happens(50) {
        let required = document.pointer_mut(&schema)?.as_object_mut()?.entry("required").or_insert_with(|| json!([]));
        required.as_array_mut()?.push(json!(name));
    }
    insert(document, &format!("{schema}/properties"), &name, member)
}

fn request_member(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let objects = places::objects(document, places::sent_schemas(document));
    let schema = random.one_of(&objects)?.clone();
    let name = fresh_name(document, random);
    let member = member_schema(random, 0);
    insert(document, &format!("{schema}/properties"), &name, member)
}

fn parameter(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let place = *random.one_of(&["query", "header"])?;
    let name = if place == "query" { random.word() } else { format!("X-{}", random.word()) };
    let parameter = json!({
        "name": name, "in": place, "required": false, "description": "New.",
        "schema": { "type": "string", "maxLength": 40 }, "example": "new",
    });
    let holder = document.pointer_mut(&operation)?.as_object_mut()?.entry("parameters").or_insert_with(|| json!([]));
    holder.as_array_mut()?.push(parameter);
    Some((operation, format!("{place} parameter {name}")))
}

fn operation(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let schemas = places::objects(document, places::received_schemas(document));
    let schema = random.one_of(&schemas)?.clone();
    let taken = places::names(document, "/paths");
    let (path, method) = match random.one_of(&taken) {
        // Another method of an existing path, or a new path.
        Some(path) if random.happens(40) => (path.clone(), *random.one_of(&["delete", "patch", "put"])?),
        _ => (format!("/api/v1/{}", random.word()), *random.one_of(&["get", "post"])?),
    };
    let pointer = format!("/paths/{}", escaped(&path));
    if document.pointer(&format!("{pointer}/{method}")).is_some() {
        return None;
    }
    let success = json!({
        "description": "New.",
        "content": { "application/json": { "schema": { "$ref": format!("#{schema}") } } },
    });
    let operation = json!({
        "operationId": random.word(), "description": "New.", "parameters": [],
        "responses": { "200": success, "default": { "$ref": "#/components/responses/OtherProblem" } },
    });
    let item = document.pointer_mut("/paths")?.as_object_mut()?.entry(path.clone()).or_insert_with(|| json!({}));
    item.as_object_mut()?.insert(method.to_owned(), operation);
    Some((format!("{pointer}/{method}"), format!("{method} {path}")))
}

fn value(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let schemas = places::received_schemas(document);
    let is_open = |pointer: &&String| document.pointer(&format!("{pointer}/x-extensible-enum")).is_some();
    let open: Vec<String> = schemas.iter().filter(is_open).cloned().collect();
    let place = format!("{}/x-extensible-enum", random.one_of(&open)?);
    let value = random.word();
    document.pointer_mut(&place)?.as_array_mut()?.push(json!(value));
    Some((place, value))
}

/// Adds an event with a separate schema, a hook, and a variant in the union of all events.
fn event(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let objects = places::objects(document, places::received_schemas(document));
    let subject = random.one_of(&objects)?.clone();
    let event = format!("{}.{}", random.word(), random.word());
    let name = format!("Event{}", random.word());
    let mut schema = document.pointer("/components/schemas/HookTestEvent")?.clone();
    schema["properties"]["type"] = json!({ "type": "string", "enum": [event], "example": event });
    schema["properties"]["data"] = json!({
        "type": "object", "required": ["subject"],
        "properties": { "subject": { "$ref": format!("#{subject}") } },
    });
    let mut hook = document.pointer("/x-webhooks/hook.test")?.clone();
    let target = format!("#/components/schemas/{name}");
    hook["post"]["operationId"] = json!(format!("on_{name}"));
    hook["post"]["requestBody"]["content"]["application/json"] = json!({ "schema": { "$ref": target } });
    insert(document, "/components/schemas", &name, schema)?;
    insert(document, "/x-webhooks", &event, hook)?;
    let union = document.pointer_mut("/components/schemas/HookEvent")?;
    union["oneOf"].as_array_mut()?.push(json!({ "$ref": target }));
    union["discriminator"]["mapping"][&event] = json!(target);
    Some((format!("/x-webhooks/{}", escaped(&event)), event))
}

/// Adds a code to the table, to the vocabulary, and to one response that can return it.
fn problem_code(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let (response, status) = error_response(document, random)?;
    let code = random.word();
    let entry = json!({
        "status": status, "title": "New", "type": format!("urn:problem-type:content-generation:{code}"),
        "retryable": random.happens(50), "description": "New.",
    });
    insert(document, "/x-problem-codes", &code, entry)?;
    document.pointer_mut("/components/schemas/ProblemCode/x-extensible-enum")?.as_array_mut()?.push(json!(code));
    let codes = document.pointer_mut(&response)?.as_object_mut()?.entry("x-codes").or_insert_with(|| json!([]));
    codes.as_array_mut()?.push(json!(code));
    Some((response, code))
}

/// Returns the pointer of an error response, and one of its statuses.
fn error_response(document: &Value, random: &mut Random) -> Option<(String, u16)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let errors: Vec<(String, u16)> = places::responses(document, &operation)
        .into_iter()
        .filter_map(|response| Some((places::last(&response).parse().ok()?, response)))
        .filter(|(status, _)| *status >= 400)
        .map(|(status, response)| (places::resolved(document, &response), status))
        .collect();
    random.one_of(&errors).cloned()
}

fn header(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let response = random.one_of(&places::responses(document, &operation))?.clone();
    let response = places::resolved(document, &response);
    let name = format!("X-{}", random.word());
    let header = json!({
        "description": "New.", "required": random.happens(50), "schema": { "type": "string" }, "example": "new; a=1, b",
    });
    let holder = document.pointer_mut(&response)?.as_object_mut()?.entry("headers").or_insert_with(|| json!({}));
    holder.as_object_mut()?.insert(name.clone(), header);
    Some((format!("{response}/headers/{name}"), name))
}

fn error_status(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let operation = random.one_of(&places::operations(document))?.clone();
    let taken: BTreeSet<String> = places::names(document, &format!("{operation}/responses")).into_iter().collect();
    let status =
        random.one_of(&[402, 406, 410, 412, 416, 418, 421, 423, 424, 425, 428, 451, 499, 501, 502, 504, 507, 599])?;
    if taken.contains(&status.to_string()) || !taken.contains("default") {
        return None;
    }
    let default = places::resolved(document, &format!("{operation}/responses/default"));
    let mut response = document.pointer(&default)?.clone();
    response["x-codes"] = json!(["internal_error"]);
    insert(document, &format!("{operation}/responses"), &status.to_string(), response)
}

fn filter_value(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let filters: Vec<String> = places::names(document, "/components/schemas")
        .into_iter()
        .filter(|name| name.ends_with("Filter"))
        .map(|name| format!("/components/schemas/{name}/enum"))
        .collect();
    let place = random.one_of(&filters)?.clone();
    let value = random.word();
    document.pointer_mut(&place)?.as_array_mut()?.push(json!(value));
    Some((place, value))
}

fn request_bound(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let schemas = places::objects(document, places::sent_schemas(document));
    let bounded = places::members(document, &schemas, |_, member| {
        ["maxLength", "maximum", "maxItems"].iter().any(|name| member.get(*name).is_some())
    });
    let place = random.one_of(&bounded)?.clone();
    let member = document.pointer_mut(&place)?.as_object_mut()?;
    let name = ["maxLength", "maximum", "maxItems"].into_iter().find(|name| member.contains_key(*name))?;
    if random.happens(30) {
        member.remove(name);
    } else {
        let bound = member.get(name)?.as_i64()?;
        member.insert(name.to_owned(), json!(bound + random.within(1, 1000)));
    }
    Some((place, format!("`{name}` is wider")))
}

fn request_media_type(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let bodies: Vec<String> = places::operations(document)
        .into_iter()
        .map(|operation| format!("{operation}/requestBody/content"))
        .filter(|content| document.pointer(content).is_some())
        .collect();
    let content = random.one_of(&bodies)?.clone();
    let json_body = document.pointer(&content)?.get("application/json")?.clone();
    insert(document, &content, &format!("application/{}+json", random.word()), json_body)
}

fn limit(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let limit = json!({ "maximum": random.within(1, 1000), "unit": "items", "description": "New." });
    let name = random.word();
    insert(document, "/x-limits", &name, limit)
}

fn always_there(document: &mut Value, random: &mut Random) -> Option<(String, String)> {
    let schemas = places::objects(document, places::received_schemas(document));
    let sent = places::sent_schemas(document);
    let optional: Vec<String> = places::members(document, &schemas, |_, _| true)
        .into_iter()
        .filter(|member| {
            let owner = places::owner(member);
            owner.is_some_and(|(schema, name)| {
                !places::is_required(document, schema, &name) && !sent.iter().any(|other| other == schema)
            })
        })
        .collect();
    let member = random.one_of(&optional)?.clone();
    let (schema, name) = places::owner(&member)?;
    let required = document.pointer_mut(schema)?.as_object_mut()?.entry("required").or_insert_with(|| json!([]));
    required.as_array_mut()?.push(json!(name));
    Some((schema.to_owned(), name))
}

/// Adds a member to an object. Returns `None` if the object already has a member of that name.
fn insert(document: &mut Value, pointer: &str, name: &str, value: Value) -> Option<(String, String)> {
    let object = document.pointer_mut(pointer)?.as_object_mut()?;
    if object.contains_key(name) {
        return None;
    }
    object.insert(name.to_owned(), value);
    Some((format!("{pointer}/{}", escaped(name)), name.to_owned()))
}

/// Returns a name that no schema uses for a member, because a used name could have a meaning elsewhere.
fn fresh_name(document: &Value, random: &mut Random) -> String {
    let schemas = places::names(document, "/components/schemas");
    let taken: BTreeSet<String> = schemas
        .iter()
        .flat_map(|schema| places::names(document, &format!("/components/schemas/{schema}/properties")))
        .collect();
    loop {
        let name = random.member_name();
        if !taken.contains(&name) {
            return name;
        }
    }
}

/// Returns the schema of a new member: any schema that a document can describe.
fn member_schema(random: &mut Random, depth: usize) -> Value {
    let mut schema = match random.below(if depth < 2 { 13 } else { 8 }) {
        0 => json!({ "type": "string" }),
        1 => json!({ "type": "string", "format": "date-time", "example": "2027-01-01T00:00:00.000Z" }),
        2 => json!({ "type": "integer", "format": "int64" }),
        3 => json!({ "type": "number" }),
        4 => json!({ "type": "boolean" }),
        5 => json!({ "type": "string", "enum": ["one", "two"] }),
        6 => json!({ "type": "string", "x-extensible-enum": ["one", "two"] }),
        7 => json!({}),
        8 => json!({ "type": "array", "items": member_schema(random, depth + 1) }),
        9 => json!({ "type": "object", "additionalProperties": member_schema(random, depth + 1) }),
        10 => {
            let (one, other) = (random.member_name(), random.word());
            let mut properties = serde_json::Map::new();
            properties.insert(one, member_schema(random, depth + 1));
            properties.insert(other, member_schema(random, depth + 1));
            json!({ "type": "object", "properties": properties })
        }
        // An existing schema, as long as it cannot contain the new member itself.
        11 => json!({ "$ref": "#/components/schemas/Metadata" }),
        _ => json!({ "type": "array", "items": { "$ref": "#/components/schemas/JobStatus" } }),
    };
    if schema.get("$ref").is_none() && random.happens(30) {
        schema["nullable"] = json!(true);
    }
    schema
}
