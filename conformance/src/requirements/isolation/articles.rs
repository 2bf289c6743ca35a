//! Articles of another account do not exist.

use serde_json::Value;

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps::{self, articles};

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO_JOBS: &[Capability] = &[Capability::ISOLATION, Capability::JOBS];

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.articles.unknown",
            "Another account's article is answered 404 article_not_found, by its id and by its job's id.",
            SOURCE,
            articles,
        )
        .needs(TWO_JOBS),
        Requirement::must(
            "isolation.articles.core",
            "A key does not read another account's article.",
            "service description, section 5",
            articles_in_core,
        )
        .core()
        .needs(TWO),
    ]
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::some_article(&context).await?;
    for id in [&job["job_id"], &demand::json(&article)?["id"]] {
        let request = steps::get_article(id.as_str().unwrap_or_default()).by(Credential::Other);
        let tag = demand::header(&article, "etag").unwrap_or("\"x\"").to_owned();
        demand::problem(&*context.send(request.clone()).await?, 404, &["article_not_found"])?;
        let conditional = context.send(request.header("if-none-match", tag)).await?;
        demand::problem(&conditional, 404, &["article_not_found"])?;
    }
    Ok(())
}

async fn articles_in_core(context: Context, _: Value) -> Verdict {
    for id in articles::readable(&context).await? {
        articles::hidden_from_other(&context, &id).await?;
    }
    Ok(())
}
