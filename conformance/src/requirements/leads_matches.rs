//! Leads of an article: theirs are found, others' are not.
//!
//! Filters by time are in `pages_moments`, unknown ids in `pages_filters`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::steps_accounts;
use super::steps_articles;
use super::steps_capture::{self, captured, settle};
use super::steps_lists::{self, List};
use super::verdict::{Verdict, ensure};

const FORM: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::Jobs];
const TWO: &[Capability] = &[Capability::Leads, Capability::LeadForm, Capability::Jobs, Capability::Isolation];
const SOURCE: &str = "openapi.yaml, list_leads: article_id";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.filter.article-matches",
            "With article_id the leads captured on this article come, and no others.",
            SOURCE,
            of_article,
        )
        .needs(FORM)
        .background(),
        Requirement::must(
            "leads.filter.foreign-article",
            "A foreign article_id gives an empty page, also when a form named it.",
            SOURCE,
            foreign,
        )
        .needs(TWO)
        .background(),
    ]
}

async fn of_article(context: Context, _: Value) -> Verdict {
    let article = steps_articles::published(&context, "Reading a weather chart").await?;
    let id = demand::text(&article, "id")?;
    let mut own = Vec::new();
    for word in ["first", "second"] {
        let marker = context.fresh(word);
        let body = json!({ "email": format!("{marker}@example.com"), "article_id": id });
        let lead = captured(&context, &marker, &body).await?;
        demand::same("article_id", &json!(id), &lead["article_id"])?;
        own.push(lead["id"].clone());
    }
    settle(&context).await?;
    let query = format!("limit=100&article_id={}", steps::segment(id));
    let rows = steps_lists::found(&context, List::named("/leads"), &query, |_| true).await?;
    own.reverse();
    let found: Value = rows.iter().map(|row| row["id"].clone()).collect();
    demand::same("the leads of the article, newest first", &json!(own), &found)
}

async fn foreign(context: Context, _: Value) -> Verdict {
    let job = steps_accounts::published_by_other(&context, "Reading a tide table").await?;
    let id = demand::text(&job, "article_id")?;
    let marker = context.fresh("stranger");
    // Whether such a form is taken is the target's to decide.
    steps_capture::send(&context, &json!({ "email": format!("{marker}@example.com"), "article_id": id })).await?;
    settle(&context).await?;
    let query = format!("limit=100&article_id={}", steps::segment(id));
    let rows = steps_lists::found(&context, List::named("/leads"), &query, |_| true).await?;
    ensure(rows.is_empty(), "no lead of another account's article", || demand::brief(&rows[0]))
}
