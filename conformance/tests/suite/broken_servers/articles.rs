//! Faults in articles, their text and their voice report.

use super::fault::{Fault, in_answers};
use serde_json::{Value, json};

fn number(body: &mut Value, member: &str, change: impl FnOnce(i64) -> i64) {
    if let Some(value) = body[member].as_i64() {
        body[member] = json!(change(value));
    }
}

fn text(body: &mut Value, member: &str, change: impl FnOnce(&str) -> String) {
    if let Some(value) = body[member].as_str() {
        body[member] = json!(change(value));
    }
}

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = texts();
    all.extend(records());
    all
}

fn texts() -> Vec<Fault> {
    vec![
        in_answers("articles.text.word-count", |answer| {
            answer.edit_at("/articles/", |body| number(body, "word_count", |count| count + count / 20));
        }),
        in_answers("articles.text.reading-time", |answer| {
            answer.edit_at("/articles/", |body| number(body, "reading_time_minutes", |minutes| minutes + 1));
        }),
        in_answers("articles.text.lengths", |answer| {
            answer
                .edit_at("/articles/", |body| text(body, "meta_description", |whole| whole.chars().take(40).collect()));
        }),
        in_answers("articles.html.safe", |answer| {
            answer.edit_at("/articles/", |body| {
                text(body, "content_html", |html| html.replacen("<p>", "<p onclick=\"x()\">", 1));
            });
        }),
        in_answers("articles.html.outline", |answer| {
            answer.edit_at("/articles/", |body| {
                if let Some(outline) = body["outline"].as_array_mut() {
                    outline.pop();
                }
            });
        }),
        in_answers("articles.html.hostile-topics", |answer| {
            answer.edit_at("/articles/", |body| text(body, "topic", |topic| topic.replace('<', "&lt;")));
        }),
        in_answers("articles.markdown.plain", |answer| {
            answer.edit_at("/articles/", |body| {
                text(body, "content_markdown", |markdown| format!("# Title\n\n{markdown}"));
            });
        }),
        in_answers("articles.json-ld.graph", |answer| {
            answer.edit_at("/articles/", |body| body["json_ld"]["@graph"] = json!([]));
        }),
        in_answers("articles.faq.questions", |answer| {
            answer.edit_at("/articles/", |body| {
                for entry in body["faq"].as_array_mut().into_iter().flatten() {
                    entry["answer"] = json!("");
                }
            });
        }),
        in_answers("articles.keywords.used", |answer| {
            answer
                .edit_at("/articles/", |body| text(body, "content_html", |html| html.replace("puncture", "flat tyre")));
        }),
        in_answers("voice.report.consistent", |answer| {
            answer.edit_at("/articles/", |body| {
                if let Some(check) = body.pointer_mut("/voice/checks/0") {
                    check["passed"] = json!(false);
                }
            });
        }),
        in_answers("voice.report.passed", |answer| {
            answer.edit_at("/articles/", |body| body["voice"]["passed"] = json!(false));
        }),
        in_answers("voice.length.near-target", |answer| {
            answer.edit_at("/articles/", |body| number(body, "word_count", |count| count * 2 / 3));
        }),
    ]
}

fn records() -> Vec<Fault> {
    vec![
        in_answers("answers.get-article.schema", |answer| {
            answer.edit_at("/articles/", |body| body["outline"] = json!("none"));
        }),
        in_answers("articles.by-job-id.same", |answer| {
            answer.headers.remove("content-location");
        }),
        in_answers("articles.echo.what-was-sent", |answer| {
            answer.edit_at("/articles/", |body| body["language"] = json!("de"));
        }),
        in_answers("articles.etag.not-modified", |answer| {
            if answer.status == 304 {
                answer.status = 200;
            }
        }),
        in_answers("articles.cache.private", |answer| {
            answer.set("cache-control", "no-cache");
        }),
        in_answers("articles.published.together", |answer| {
            answer.edit_at("/articles/", |body| {
                if body["url"].is_null() {
                    body["url"] = json!("http://127.0.0.1/early");
                }
            });
        }),
        in_answers("articles.slug.unique", |answer| {
            answer.edit_at("/articles/", |body| {
                text(body, "slug", |slug| {
                    slug.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-').to_owned()
                });
            });
        }),
    ]
}
