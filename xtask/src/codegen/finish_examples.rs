//! The examples in the documentation of the client's methods. The generator's are not compiled, and set everything that can be
//! set; ours are programs with the document's own values.

use anyhow::{Context as _, Result};
use quote::ToTokens as _;
use syn::{Expr, ExprLit, File, ImplItem, ImplItemFn, Item, Lit, Meta, parse_quote};

use super::examples::Example;
use super::lower::Lowered;
use super::operations::PageOperation;
use super::words::snake;

/// Where the generator's own example begins.
const GENERATED: &str = "```ignore";
/// How many characters of calls fit on one line.
const WIDTH: usize = 80;

/// Gives each operation's method its example.
pub(super) fn finish(file: &mut File, lowered: &Lowered) -> Result<()> {
    let methods = file.items.iter_mut().filter_map(|item| match item {
        Item::Impl(client) if client.self_ty.to_token_stream().to_string() == "Client" => Some(&mut client.items),
        _ => None,
    });
    for item in methods.flatten() {
        let ImplItem::Fn(method) = item else { continue };
        let name = method.sig.ident.to_string();
        let Some((_, example)) = lowered.examples.iter().find(|(operation, _)| snake(operation) == name) else {
            continue;
        };
        let page = lowered.operations.pages.iter().find(|page| snake(&page.operation) == name);
        replace(method, &code(&name, example, page))
            .with_context(|| format!("the generator wrote no example of `{name}`, in whose place ours would stand"))?;
    }
    Ok(())
}

/// Puts an example in the place of the generator's.
fn replace(method: &mut ImplItemFn, example: &str) -> Option<()> {
    method.attrs.iter_mut().find_map(|attribute| {
        let Meta::NameValue(meta) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
        let text = text.value();
        let (kept, _) = text.split_once(GENERATED)?;
        let text = format!("{}\n\n{example}", kept.trim_end());
        *attribute = parse_quote!(#[doc = #text]);
        Some(())
    })
}

/// The code of an example.
fn code(name: &str, example: &Example, page: Option<&PageOperation>) -> String {
    let mut calls = vec![format!("{name}()")];
    calls.extend(example.settings.iter().map(|(setter, value)| format!("{setter}({value})")));
    let lines = match (page, &example.answer) {
        (Some(page), _) => {
            calls.push("items()".to_owned());
            let (call, item) = (chain(&calls), snake(&page.item));
            format!(
                "let mut items = {call};\nwhile let Some({item}) = items.next().await {{\n    println!(\"{{:?}}\", {item}?);\n}}"
            )
        }
        (None, Some(answer)) => {
            calls.extend(["send()".to_owned(), "await?".to_owned()]);
            format!("let {0} = {1};\nprintln!(\"{{{0}:?}}\");", snake(answer), chain(&calls))
        }
        (None, None) => {
            calls.extend(["send()".to_owned(), "await?".to_owned()]);
            format!("{};", chain(&calls))
        }
    };
    let begin = "# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {";
    format!("```no_run\n{begin}\n{lines}\n# Ok(())\n# }}\n```")
}

/// Calls on the client, each on a line of its own where they do not fit on one.
fn chain(calls: &[String]) -> String {
    let length: usize = calls.iter().map(String::len).sum();
    let between = if length > WIDTH { "\n    ." } else { "." };
    format!("client{between}{}", calls.join(between))
}
