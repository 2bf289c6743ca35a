//! Pages and their rows.

use serde_json::Value;

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    fault("contract.tags-null", "Tags of listed articles are null.", &["answers.list-articles.schema"]).response(
        |response, request, _| {
            edit_rows_of(Operation::ListArticles, response, request, |row| row["tags"] = Value::Null);
        },
    ),
    fault("contract.leads-no-consent", "Listed leads omit their consent.", &["answers.list-leads.schema"]).response(
        |response, request, _| {
            edit_rows_of(Operation::ListLeads, response, request, |row| {
                remove_member(row, "consent");
            });
        },
    ),
    fault("contract.post-no-status", "Scheduled posts omit their status.", &["answers.list-scheduled-posts.schema"])
        .response(|response, request, _| {
            edit_rows_of(Operation::ListScheduledPosts, response, request, |row| {
                remove_member(row, "status");
            });
        }),
    fault("contract.website-names", "Fields of websites are written in camel case.", &["answers.list-websites.schema"])
        .response(|response, request, _| edit_rows_of(Operation::ListWebsites, response, request, write_camel_case)),
    fault("contract.bare-array", "The list of websites is a bare array.", &["answers.list-websites.schema"]).response(
        |response, request, _| {
            if request.is(Operation::ListWebsites) && response.is_success() {
                response.edit(|page| *page = remove_member(page, "items").unwrap_or_default());
            }
        },
    ),
];

fn edit_rows_of(operation: Operation, response: &mut Response, request: &Request, edit: fn(&mut Value)) {
    if request.is(operation) && response.is_success() {
        response.edit_rows(edit);
    }
}

fn write_camel_case(row: &mut Value) {
    if let Some(members) = row.as_object_mut() {
        *members = std::mem::take(members).into_iter().map(|(name, value)| (camel_case(&name), value)).collect();
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        name.chars().chain(capital).chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_written_in_camel_case() {
        assert_eq!(super::camel_case("website_id"), "websiteId");
        assert_eq!(super::camel_case("name"), "name");
    }
}
