//! Effect of making a failed call again.

/// Effect of making a failed call again, as far as the client knows.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// use contentgen_sdk::RetrySafety;
///
/// let request = client.generate().topic("Raised beds for a small garden").website_id("web_1");
/// let queued = match request.clone().send().await {
///     Ok(queued) => queued,
///     Err(error) => match error.retry_safety() {
///         RetrySafety::Safe => request.send().await?,
///         RetrySafety::SafeWithSameKey => {
///             let key = error.idempotency_key().unwrap_or_default();
///             // … later, or in another process:
///             request.idempotency_key(key).send().await?
///         }
///         // With `MayDuplicate`, find out first whether the article was queued: list the scheduled posts.
///         _ => return Err(error),
///     },
/// };
/// println!("{}", queued.job_id);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetrySafety {
    /// The same call cannot succeed: change the request, or find the reason.
    Never,
    /// The failed call had no effect, or its effect is the same each time. Make the call again, with any idempotency key.
    Safe,
    /// The server may have done what was requested, and keeps idempotency keys. Make the call again with
    /// [`Error::idempotency_key`](crate::Error::idempotency_key). With another key it may be done twice.
    SafeWithSameKey,
    /// The server may have done what was requested, and is not known to keep idempotency keys. If the call is made again, it may be done
    /// twice, also with the same key.
    MayDuplicate,
}
