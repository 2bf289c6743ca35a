//! Places of a document, as JSON pointers: finds the parts of one kind, and changes them.

use std::collections::BTreeSet;

use serde_json::Value;

/// HTTP methods that identify operations.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// A change that was made.
#[derive(Clone, Debug)]
pub(super) struct Change<K> {
    pub(super) kind: K,
    /// JSON pointer of the changed place.
    pub(super) place: String,
    /// Description of the change, for people.
    pub(super) what: String,
}

/// Escapes a name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns the names of an object's members.
pub(super) fn names(document: &Value, pointer: &str) -> Vec<String> {
    let members = document.pointer(pointer).and_then(Value::as_object).into_iter().flatten();
    members.map(|(name, _)| name.clone()).collect()
}

/// Returns the pointer that a value refers to.
pub(super) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix('#')
}

/// Follows the references at a pointer and returns the final pointer.
pub(super) fn resolved(document: &Value, pointer: &str) -> String {
    let target = document.pointer(pointer).and_then(reference);
    target.map_or_else(|| pointer.to_owned(), |target| resolved(document, target))
}

/// Returns the operations below `/paths`.
pub(super) fn operations(document: &Value) -> Vec<String> {
    let paths = names(document, "/paths").into_iter().map(|path| format!("/paths/{}", escaped(&path)));
    let all = paths.flat_map(|path| METHODS.map(|method| format!("{path}/{method}")));
    all.filter(|pointer| document.pointer(pointer).is_some()).collect()
}

/// Returns the hooks' requests.
pub(super) fn hooks(document: &Value) -> Vec<String> {
    names(document, "/x-webhooks").iter().map(|name| format!("/x-webhooks/{}/post", escaped(name))).collect()
}

/// Returns all pointers that values below some places refer to, directly or indirectly.
fn reachable(document: &Value, from: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        found.extend(reference(value));
        match value {
            Value::Object(members) => members.values().for_each(|member| references(member, found)),
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let mut pending: Vec<String> = from.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(pointer) = pending.pop() {
        let Some(value) = document.pointer(&pointer) else { continue };
        let mut found = Vec::new();
        references(value, &mut found);
        pending.extend(found.into_iter().filter(|target| seen.insert((*target).to_owned())).map(str::to_owned));
    }
    seen
}

/// Returns the named schemas that clients receive.
pub(super) fn received_schemas(document: &Value) -> Vec<String> {
    let responses = operations(document).into_iter().map(|operation| format!("{operation}/responses"));
    let hooks = hooks(document).into_iter().map(|hook| format!("{hook}/requestBody"));
    let all = reachable(document, responses.chain(hooks));
    all.into_iter().filter(|pointer| pointer.starts_with("/components/schemas/")).collect()
}

/// Returns the named schemas that clients only send in bodies.
pub(super) fn sent_schemas(document: &Value) -> Vec<String> {
    let bodies = operations(document).into_iter().map(|operation| format!("{operation}/requestBody"));
    let received = received_schemas(document);
    reachable(document, bodies).into_iter().filter(|pointer| !received.contains(pointer)).collect()
}

/// Returns the schemas that are objects with named members.
pub(super) fn objects(document: &Value, schemas: Vec<String>) -> Vec<String> {
    let is_object = |pointer: &String| {
        document.pointer(pointer).is_some_and(|schema| schema.get("properties").is_some_and(Value::is_object))
    };
    schemas.into_iter().filter(is_object).collect()
}

/// Returns the members of some schemas that satisfy a predicate.
pub(super) fn members(document: &Value, schemas: &[String], fits: impl Fn(&str, &Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for schema in schemas {
        for name in names(document, &format!("{schema}/properties")) {
            let pointer = format!("{schema}/properties/{}", escaped(&name));
            if document.pointer(&pointer).is_some_and(|member| fits(&name, member)) {
                found.push(pointer);
            }
        }
    }
    found
}

/// Returns the schema that contains a member, and the member's name.
pub(super) fn owner(member: &str) -> Option<(&str, String)> {
    let (schema, name) = member.rsplit_once("/properties/")?;
    Some((schema, name.replace("~1", "/").replace("~0", "~")))
}

/// Returns true if the schema requires the member.
pub(super) fn is_required(document: &Value, schema: &str, name: &str) -> bool {
    let required = document.pointer(&format!("{schema}/required")).and_then(Value::as_array);
    required.is_some_and(|list| list.iter().any(|item| item == name))
}

/// Returns the statuses of an operation's responses, as pointers.
pub(super) fn responses(document: &Value, operation: &str) -> Vec<String> {
    let statuses = names(document, &format!("{operation}/responses"));
    statuses.iter().map(|status| format!("{operation}/responses/{status}")).collect()
}

/// Returns the parameters of an operation, with their references followed.
pub(super) fn parameters(document: &Value, operation: &str) -> Vec<String> {
    let list = document.pointer(&format!("{operation}/parameters")).and_then(Value::as_array);
    let count = list.map_or(0, Vec::len);
    (0..count).map(|index| resolved(document, &format!("{operation}/parameters/{index}"))).collect()
}

/// Returns the last part of a pointer.
pub(super) fn last(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or(pointer)
}

/// Removes the member at a pointer.
pub(super) fn remove(document: &mut Value, pointer: &str) -> Option<Value> {
    let (holder, name) = pointer.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    document.pointer_mut(holder)?.as_object_mut()?.remove(&name)
}

/// Sets a member of the object at a pointer.
pub(super) fn set(document: &mut Value, pointer: &str, name: &str, value: Value) -> Option<()> {
    document.pointer_mut(pointer)?.as_object_mut()?.insert(name.to_owned(), value);
    Some(())
}
