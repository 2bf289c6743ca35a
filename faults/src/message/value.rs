//! Changes JSON.

use serde_json::Value;

/// Removes a field and returns it.
pub fn remove_member(value: &mut Value, name: &str) -> Option<Value> {
    value.as_object_mut()?.remove(name)
}

/// Calls `edit` for every object in `value`, the outermost first.
pub fn edit_objects(value: &mut Value, edit: &mut dyn FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| edit_objects(item, edit)),
        Value::Object(members) => {
            edit(members);
            members.values_mut().for_each(|member| edit_objects(member, edit));
        }
        _ => {}
    }
}
