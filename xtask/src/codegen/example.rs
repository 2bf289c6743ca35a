//! The examples in the documentation of the client's methods: programs with the document's own values, which are compiled.

use super::operation::Operation;
use super::words::snake;

/// Maximum number of characters of calls on one line.
const WIDTH: usize = 80;

/// Returns the example of an operation; `item` is the type of the items on its pages.
pub(super) fn code(operation: &Operation, item: Option<&str>) -> String {
    let is_id = |name: &str| operation.in_path().any(|parameter| snake(&parameter.name) == name);
    let (ids, set): (Vec<_>, Vec<_>) = operation.example.iter().partition(|(name, _)| is_id(name));
    let ids: Vec<_> = ids.iter().map(|(_, value)| value.as_str()).collect();
    let mut calls = vec![format!("{}({})", snake(&operation.id), ids.join(", "))];
    calls.extend(set.iter().map(|(setter, value)| format!("{setter}({value})")));
    let sent = |mut calls: Vec<String>| {
        calls.extend(["send()".to_owned(), "await?".to_owned()]);
        chain(&calls)
    };
    let lines = match (item, &operation.answer) {
        (Some(item), _) => {
            calls.push("items()".to_owned());
            let (call, item) = (chain(&calls), snake(item));
            format!(
                "let mut items = {call};\nwhile let Some({item}) = items.next().await {{\n    println!(\"{{:?}}\", {item}?);\n}}"
            )
        }
        (None, Some(answer)) => format!("let {0} = {1};\nprintln!(\"{{{0}:?}}\");", snake(answer), sent(calls)),
        (None, None) => format!("{};", sent(calls)),
    };
    let begin = "# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {";
    format!("```no_run\n{begin}\n{lines}\n# Ok(())\n# }}\n```")
}

/// Returns calls on the client, each on a separate line if they do not fit on one.
fn chain(calls: &[String]) -> String {
    let length: usize = calls.iter().map(String::len).sum();
    let between = if length > WIDTH { "\n    ." } else { "." };
    format!("client{between}{}", calls.join(between))
}
