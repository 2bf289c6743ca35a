//! What publishing changes of an article, and what it leaves as it was, wherever the article is told of.

use serde_json::{Value, json};
use url::Url;

use crate::check::{About as _, Capability, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps::lists::{self, ARTICLES};
use crate::steps::publishing::{SKEW, published, scheduled, scheduled_as};
use crate::steps::times::moment;
use crate::steps::{self, articles};

const LISTS: &[Capability] = &[Capability::JOBS, Capability::ARTICLES];

const JOBS: &[Capability] = &[Capability::JOBS];

/// What publishing does not change.
const LASTING: [&str; 8] =
    ["id", "job_id", "website_id", "topic", "slug", "language", "content_markdown", "created_at"];

/// What a row tells of a published article.
const TOLD: [&str; 6] = ["status", "url", "slug", "created_at", "updated_at", "published_at"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.publication.same-everywhere",
            "Publishing changes neither text nor created_at; afterwards the row of the list tells the same times and url as the article, and url ends with the slug.",
            "openapi.yaml, ArticleSummary: created_at, slug and url",
            same_everywhere,
        )
        .needs(LISTS)
        .background(),
        Requirement::must(
            "articles.publication.structured-data",
            "json_ld tells what the article tells: datePublished is published_at, inLanguage is language, and each question of the FAQPage has its own answer.",
            "openapi.yaml, Article json_ld; schema.org",
            structured_data,
        )
        .should()
        .needs(JOBS)
        .background(),
    ]
}

async fn same_everywhere(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Closing an envelope").await?;
    let late = published(&context, &early).await?;
    let (before, after) = (demand::json(&early)?, demand::json(&late)?);
    for member in LASTING {
        demand::same(&format!("{member} of the published article"), &before[member], &after[member]).about(&late)?;
    }
    let (updated, at) = (moment(after, "updated_at")?, moment(after, "published_at")?);
    ensure(updated >= at - SKEW, "updated_at that is not before published_at", || demand::brief(&after["updated_at"]))?;
    ends_with_slug(after).about(&late)?;
    let row = row_of(&context, after).await?;
    for member in TOLD {
        demand::same(&format!("{member} of the row"), &after[member], &row[member])?;
    }
    Ok(())
}

fn ends_with_slug(article: &Value) -> Verdict {
    let url = demand::text(article, "url")?;
    let parsed = Url::parse(url).map_err(|_| Halt::fail("an absolute URL of a published article", url))?;
    let last = parsed.path_segments().and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()));
    let slug = demand::text(article, "slug")?;
    ensure(last == Some(slug), format!("url with the last part {slug}"), || url.to_owned())
}

/// The row of a published article, once the list knows that it is.
async fn row_of(context: &Context, article: &Value) -> Result<Value, Halt> {
    let look = || async move {
        let rows = lists::found(context, ARTICLES, "limit=100", |row| row["id"] == article["id"]).await?;
        Ok(match rows.into_iter().next() {
            Some(row) if row["status"] == "published" => Look::Found(row),
            Some(row) => Look::NotYet(Halt::fail("a row that is published, as its article is", demand::brief(&row))),
            None => Look::NotYet(Halt::inconclusive("the article is not among the newest")),
        })
    };
    context.eventually(context.grace(), look).await
}

async fn structured_data(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "Weighing a letter");
    // Not what a service takes that was not told any.
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
    if posting["datePublished"].is_string() {
        let apart = (moment(&posting, "datePublished")? - moment(article, "published_at")?).abs();
        ensure(apart <= SKEW, format!("datePublished {}", article["published_at"]), || {
            demand::brief(&posting["datePublished"])
        })?;
    }
    if posting["inLanguage"].is_string() {
        demand::same("inLanguage", &article["language"], &posting["inLanguage"])?;
    }
    for question in node("FAQPage")["mainEntity"].as_array().into_iter().flatten() {
        let asked = article["faq"].as_array().into_iter().flatten().find(|entry| entry["question"] == question["name"]);
        if let Some(entry) = asked.filter(|_| question["acceptedAnswer"]["text"].is_string()) {
            demand::same("the answer to it", &entry["answer"], &question["acceptedAnswer"]["text"])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ends_with_slug, tells_the_same};

    #[test]
    fn an_address_ends_with_the_slug() {
        let article = |url: &str| json!({ "slug": "rye", "url": url });
        assert!(ends_with_slug(&article("https://bakery.example/posts/rye/")).is_ok());
        assert!(ends_with_slug(&article("https://bakery.example/posts/rye-2")).is_err());
    }

    #[test]
    fn what_structured_data_does_not_tell_is_not_wrong() {
        let mut article = json!({ "language": "de", "published_at": "2026-11-02T08:00:08.615Z",
            "json_ld": { "@graph": [{ "@type": "BlogPosting", "headline": "x" }] } });
        assert!(tells_the_same(&article).is_ok());
        article["json_ld"]["@graph"][0]["datePublished"] = json!("2026-11-02T09:00:08+01:00");
        assert!(tells_the_same(&article).is_ok());
        article["json_ld"]["@graph"][0]["datePublished"] = json!("2026-11-02T08:00:03Z");
        assert!(tells_the_same(&article).is_err());
    }
}
