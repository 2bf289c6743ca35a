//! Articles of another account.

use serde_json::Value;

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps::accounts::{read_by_other, unknown_to_other};
use crate::steps::{self, articles};

const TWO_JOBS: &[Capability] = &[Capability::ISOLATION, Capability::JOBS];

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.articles.unknown",
            "Reading another account's article returns 404 article_not_found, by its id and by its job's id, also with If-None-Match.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
                Standard("RFC 9110", "13.2.1"),
            ],
            articles,
        )
        .needs(TWO_JOBS),
        Requirement::new(
            "isolation.articles.core",
            "A key cannot read another account's article.",
            &[Fact("5"), Fact("1.1"), Sentence("A key reaches only the data of its account.")],
            articles_in_core,
        )
        .core()
        .needs(TWO),
    ]
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::some_article(&context).await?;
    for id in [&job["job_id"], &demand::json(&article)?["id"]] {
        let request = steps::get_article(id.as_str().unwrap_or_default());
        let tag = demand::header(&article, "etag").unwrap_or("\"x\"").to_owned();
        unknown_to_other(&context, request.clone(), "article_not_found").await?;
        let conditional = context.send(request.by(Credential::Other).header("if-none-match", tag)).await?;
        demand::problem(&conditional, 404, &["article_not_found"])?;
    }
    Ok(())
}

async fn articles_in_core(context: Context, _: Value) -> Verdict {
    for id in articles::readable(&context).await? {
        read_by_other(&context, steps::get_article(&id)).await?;
    }
    Ok(())
}
