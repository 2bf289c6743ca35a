//! Contradictions between two places that show the same fact: structured data, Markdown, HTML, rows, events and other
//! keys.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text, entries_mut};
use crate::message::{Operation, Request, Response};

const SAME_STORY: &[&str] = &["articles.publication.structured-data"];
const SAME_TEXT: &[&str] = &["articles.rendering.same-text"];
const PUBLISHING: &[&str] = &["articles.publication.same-everywhere"];

pub(super) const FAULTS: &[Fault] = &[
    fault("article.dated-when-written", "datePublished of the structured data is the time of writing.", SAME_STORY)
        .response(|response, request, _| {
            edit_article(response, request, |article| {
                let written = article["created_at"].clone();
                edit_node(article, "BlogPosting", |node| node["datePublished"] = written.clone());
            });
        }),
    fault("article.marked-as-english", "inLanguage of the structured data is always en.", SAME_STORY).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                edit_node(article, "BlogPosting", |node| node["inLanguage"] = json!("en"));
            });
        },
    ),
    fault("article.answers-shifted", "Each answer of the FAQPage belongs to the previous question.", SAME_STORY)
        .response(|response, request, _| {
            edit_article(response, request, |article| edit_node(article, "FAQPage", shift_answers));
        }),
    fault("article.answers-tagged", "Answers of the FAQ contain markup.", &["articles.faq.plain"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                for entry in entries_mut(article, "faq") {
                    edit_text(entry, "answer", |answer| format!("<p>{answer}</p>"));
                }
            });
        },
    ),
    fault("article.markdown-short", "The Markdown lacks the last paragraph of the HTML.", SAME_TEXT).response(
        |response, request, _| {
            edit_article(response, request, |article| edit_text(article, "content_markdown", without_last_paragraph));
        },
    ),
    fault("article.markdown-longer", "The Markdown has a paragraph that the HTML lacks.", SAME_TEXT).response(
        |response, request, _| {
            const NOTE: &str = "This text was written for you by a machine that never sleeps, and nobody has read it \
                                before you did, so please write to us if anything in it seems odd to you.";
            edit_article(response, request, |article| {
                edit_text(article, "content_markdown", |markdown| format!("{markdown}\n\n{NOTE}\n"));
            });
        },
    ),
    fault("article.created-when-published", "Publishing an article resets its created_at.", PUBLISHING)
        .response(|response, request, _| edit_article(response, request, created_when_published))
        .hook(|hook, _, _| {
            hook.edit(|event| {
                if let Some(article) = event.pointer_mut("/data/article") {
                    created_when_published(article);
                }
            });
        }),
    fault(
        "article.row-stale",
        "The row of a published article shows the time of writing as its last change.",
        PUBLISHING,
    )
    .response(|response, request, _| {
        edit_row(response, request, |row| row["updated_at"] = row["created_at"].clone());
    }),
    fault(
        "article.location-of-job",
        "Content-Location of an article names its job.",
        &["articles.by-job-id.own-location"],
    )
    .response(|response, request, _| {
        let job_id = response.text("/job_id").filter(|_| request.is(Operation::GetArticle) && response.is_success());
        let is_own = request.id().is_some_and(|id| response.text("/id") == Some(id));
        if let Some(job_id) = job_id.filter(|_| is_own) {
            response.set("content-location", &format!("/api/v1/articles/{job_id}"));
        }
    }),
    fault(
        "article.other-key-bare",
        "Only the key that requested an article sees its metadata.",
        &["auth.articles.any-key"],
    )
    .response(|response, request, memory| {
        let owner = request.id().and_then(|id| memory.world.owner_of(&id));
        if owner.as_deref() != request.key() {
            edit_article(response, request, |article| article["metadata"] = json!({}));
        }
    }),
];

fn edit_node(article: &mut Value, kind: &str, edit: impl FnMut(&mut Value)) {
    if let Some(graph) = article["json_ld"].get_mut("@graph").and_then(Value::as_array_mut) {
        graph.iter_mut().filter(|node| node["@type"] == kind).for_each(edit);
    }
}

fn shift_answers(page: &mut Value) {
    if let Some(questions) = page.get_mut("mainEntity").and_then(Value::as_array_mut) {
        let mut answers: Vec<Value> = questions.iter().map(|question| question["acceptedAnswer"].clone()).collect();
        if !answers.is_empty() {
            answers.rotate_right(1);
        }
        questions.iter_mut().zip(answers).for_each(|(question, answer)| question["acceptedAnswer"] = answer);
    }
}

/// Returns the Markdown without its last block, unless that is a heading.
fn without_last_paragraph(markdown: &str) -> String {
    match markdown.trim_end().rsplit_once("\n\n") {
        Some((before, last)) if !last.trim_start().starts_with('#') => before.to_owned(),
        _ => markdown.to_owned(),
    }
}

fn created_when_published(article: &mut Value) {
    if article["published_at"].is_string() {
        article["created_at"] = article["published_at"].clone();
    }
}

fn edit_row(response: &mut Response, request: &Request, edit: impl Fn(&mut Value)) {
    if request.is(Operation::ListArticles) && response.is_success() {
        response.edit_rows(|row| {
            if row["status"] == "published" {
                edit(row);
            }
        });
    }
}
