//! Usage of language models by jobs.

use crate::domain::language_model::ModelUsage;
use crate::domain::store::Result;

use super::sql::{Columns, locking, values};
use super::store::Store;

/// Maximum count in one report. Sums of many reports must not overflow, whatever an endpoint claims.
const MAX_COUNT: u64 = 1 << 53;

impl Store {
    /// Adds the language model usage of an attempt at the job. Needs no lease: usage counts even if another worker holds
    /// the job. The last `report` of the job again adds nothing, because the first call may have committed without a response.
    pub async fn add_model_usage(&self, job_id: &str, report: &str, usage: &ModelUsage) -> Result<()> {
        let (job_id, report, usage) = (job_id.to_owned(), report.to_owned(), usage.clone());
        self.write(move |session| {
            // The job may have been deleted with its website.
            if !session.exists(locking!("SELECT 1 FROM jobs WHERE id = $1"; "FOR KEY SHARE"), values![&job_id])? {
                return Ok(());
            }
            let whole = |number: u64| i64::try_from(number.min(MAX_COUNT)).unwrap_or_default();
            session.execute(
                "INSERT INTO model_usage
                    (job_id, writer, requests, failed_requests, input_tokens, output_tokens,
                       cost_nanodollars, is_estimated, last_report)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                 ON CONFLICT (job_id) DO UPDATE SET
                    writer = excluded.writer,
                    requests = model_usage.requests + excluded.requests,
                    failed_requests = model_usage.failed_requests + excluded.failed_requests,
                    input_tokens = model_usage.input_tokens + excluded.input_tokens,
                    output_tokens = model_usage.output_tokens + excluded.output_tokens,
                    cost_nanodollars = COALESCE(model_usage.cost_nanodollars + excluded.cost_nanodollars,
                        model_usage.cost_nanodollars, excluded.cost_nanodollars),
                    is_estimated = CASE WHEN excluded.is_estimated = 1 THEN 1 ELSE model_usage.is_estimated END,
                    last_report = excluded.last_report
                 WHERE model_usage.last_report <> excluded.last_report",
                values![
                    &job_id,
                    &usage.writer,
                    usage.requests,
                    usage.failed_requests,
                    whole(usage.input_tokens),
                    whole(usage.output_tokens),
                    usage.cost_nanodollars.map(whole),
                    usage.is_estimated,
                    &report,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the language model usage of all attempts at the job, if any.
    pub async fn model_usage(&self, job_id: &str) -> Result<Option<ModelUsage>> {
        let job_id = job_id.to_owned();
        self.read_few(move |session| {
            session.first(
                "SELECT writer, requests, failed_requests, input_tokens, output_tokens, cost_nanodollars, is_estimated
                 FROM model_usage WHERE job_id = $1",
                values![&job_id],
                usage,
            )
        })
        .await
    }
}

fn usage(row: &mut Columns<'_>) -> Result<ModelUsage> {
    Ok(ModelUsage {
        writer: row.text()?,
        requests: row.number()?,
        failed_requests: row.number()?,
        input_tokens: row.number()?,
        output_tokens: row.number()?,
        cost_nanodollars: row.maybe_number()?,
        is_estimated: row.flag()?,
    })
}
