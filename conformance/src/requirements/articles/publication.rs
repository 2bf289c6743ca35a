//! Fields that publishing changes, and fields that it must not change.

use serde_json::{Value, json};

use super::structured_data::{SAME_STORY, questions};
use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps::lists::ARTICLES;
use crate::steps::publishing::{SKEW, published, scheduled, scheduled_as};
use crate::steps::times::moment;
use crate::steps::{self, articles, lists};

const LISTS: &[Capability] = &[Capability::JOBS, Capability::ARTICLES];

const JOBS: &[Capability] = &[Capability::JOBS];

/// Fields that publishing does not change. Links and pictures are left out: other events may change their addresses.
pub(super) const LASTING: [&str; 23] = [
    "id",
    "job_id",
    "website_id",
    "topic",
    "title",
    "slug",
    "excerpt",
    "keywords",
    "tags",
    "language",
    "word_count",
    "reading_time_minutes",
    "meta_title",
    "meta_description",
    "content_markdown",
    "content_html",
    "outline",
    "faq",
    "voice",
    "generator",
    "metadata",
    "version",
    "created_at",
];

/// Fields of a published article that its row in the list must repeat.
const REPEATED: [&str; 6] = ["status", "url", "slug", "created_at", "updated_at", "published_at"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.publication.same-everywhere",
            "Publishing changes only status, url, canonical_url, json_ld, published_at and updated_at. Afterwards the row in the list has the same times, slug and url as the article.",
            &[
                Sentence(
                    "Publishing changes only `status`, `url`, `canonical_url`, `json_ld`, `published_at` and `updated_at`.",
                ),
                Sentence("When the article was written."),
                Sentence("When it last changed."),
                Sentence("When it was published."),
                Sentence("Name of the article in addresses, unique per website."),
                Sentence("Address of the published article, as the place where it was published reports it."),
                Sentence("An article without its text."),
            ],
            same_everywhere,
        )
        .needs(LISTS)
        .background(),
        Requirement::new(
            "articles.publication.structured-data",
            "json_ld agrees with the article: datePublished is published_at, inLanguage is language, and each question of the FAQPage has its answer of faq.",
            &[
                Sentence("Structured data for search engines as JSON-LD with a graph."),
                Sentence("One node of the graph, with the fields of its type."),
                SAME_STORY,
                Part("/components/schemas/JsonLdNode/x-follows"),
            ],
            structured_data,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn same_everywhere(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Closing an envelope").await?;
    let late = published(&context, &early).await?;
    let (before, after) = (demand::json(&early)?, demand::json(&late)?);
    for field in LASTING {
        demand::same(&format!("{field} of the published article"), &before[field], &after[field]).about(&late)?;
    }
    let (updated, at) = (moment(after, "updated_at")?, moment(after, "published_at")?);
    ensure(updated >= at - SKEW, "updated_at at published_at or later", || demand::brief(&after["updated_at"]))?;
    is_repeated_in_list(&context, demand::text(after, "id")?).await
}

/// Demands that the row of the list repeats the article, unless the article changes while both are read. Lists may be late.
async fn is_repeated_in_list(context: &Context, id: &str) -> Verdict {
    let look = || async move {
        let before = context.send(steps::get_article(id)).await?;
        let rows = lists::found(context, ARTICLES, "limit=100", |row| row["id"] == id).await?;
        let after = context.send(steps::get_article(id)).await?;
        let article = demand::json(&after)?;
        let is_unchanged = demand::json(&before)?["updated_at"] == article["updated_at"];
        let row = match rows.first() {
            Some(row) if is_unchanged => row,
            Some(_) => return Ok(Look::NotYet(Halt::inconclusive("the article changed from one request to the next"))),
            None => return Ok(Look::NotYet(Halt::inconclusive("the article is not among the newest"))),
        };
        let differs = REPEATED.iter().find(|field| row[**field] != article[**field]);
        Ok(Look::at(differs.is_none(), || {
            let field = differs.copied().unwrap_or_default();
            let expected = format!("{field} of the row to be {}", demand::brief(&article[field]));
            Halt::fail(expected, demand::instead(&article[field], &row[field]))
        }))
    };
    context.eventually(context.grace(), look).await
}

async fn structured_data(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "Weighing a letter");
    // A language that is no server's default.
    body["language"] = json!("en-NZ");
    body["target_word_count"] = json!(800);
    let (_, early) = scheduled_as(&context, body).await?;
    let id = demand::text(demand::json(&early)?, "id")?;
    let late = articles::until_published(&context, id, steps::publishing::limit(&context)).await?;
    tells_the_same(demand::json(&late)?).about(&late)
}

fn tells_the_same(article: &Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    let node = |kind: &str| graph.iter().find(|node| node["@type"] == kind).cloned().unwrap_or_default();
    let posting = node("BlogPosting");
    // A date without a time says less than `published_at`.
    if posting["datePublished"].as_str().is_some_and(|date| date.contains(['T', 't'])) {
        let apart = (moment(&posting, "datePublished")? - moment(article, "published_at")?).abs();
        ensure(apart <= SKEW, format!("datePublished {}", article["published_at"]), || {
            demand::brief(&posting["datePublished"])
        })?;
    }
    if posting["inLanguage"].is_string() {
        demand::same("inLanguage", &article["language"], &posting["inLanguage"])?;
    }
    for question in questions(&node("FAQPage")) {
        let asked = article["faq"].as_array().into_iter().flatten().find(|entry| entry["question"] == question["name"]);
        if let Some(entry) = asked.filter(|_| question["acceptedAnswer"]["text"].is_string()) {
            demand::same("answer to the question", &entry["answer"], &question["acceptedAnswer"]["text"])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tells_the_same;

    #[test]
    fn absent_structured_data_is_not_wrong() {
        let mut article = json!({ "language": "de", "published_at": "2026-11-02T08:00:08.615Z",
            "json_ld": { "@graph": [{ "@type": "BlogPosting", "headline": "x" }] } });
        assert!(tells_the_same(&article).is_ok());
        article["json_ld"]["@graph"][0]["datePublished"] = json!("2026-11-02T09:00:08+01:00");
        assert!(tells_the_same(&article).is_ok());
        article["json_ld"]["@graph"][0]["datePublished"] = json!("2026-11-02");
        assert!(tells_the_same(&article).is_ok());
        article["json_ld"]["@graph"][0]["datePublished"] = json!("2026-11-02T08:00:03Z");
        assert!(tells_the_same(&article).is_err());
    }

    #[test]
    fn a_single_question_may_be_without_an_array() {
        let mut article = json!({ "language": "en", "faq": [{ "question": "Why?", "answer": "So." }],
            "json_ld": { "@graph": [{ "@type": "FAQPage", "mainEntity":
                { "@type": "Question", "name": "Why?", "acceptedAnswer": { "@type": "Answer", "text": "So." } } }] } });
        assert!(tells_the_same(&article).is_ok());
        article["faq"][0]["answer"] = json!("No.");
        assert!(tells_the_same(&article).is_err());
    }
}
