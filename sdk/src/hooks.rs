//! How every generated operation gets its key, its idempotency key, its retries and its errors.

use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::generated::{ACCEPT_IDEMPOTENCY_KEY, Client};
use crate::settings::Settings;
use crate::{call, error_response, random};

/// The header by which a server recognises a repeated request.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// A header of the generator's own, which no server of this API reads.
const GENERATOR_VERSION: &str = "api-version";

impl ClientHooks<Settings> for Client {
    async fn pre<E>(
        &self,
        request: &mut reqwest::Request,
        info: &OperationInfo,
    ) -> Result<(), progenitor_client::Error<E>> {
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, self.inner.key.header());
        headers.remove(GENERATOR_VERSION);
        // One key per logical call, made before the first attempt: a repeated attempt repeats it.
        if ACCEPT_IDEMPOTENCY_KEY.contains(&info.operation_id)
            && !headers.contains_key(IDEMPOTENCY_KEY)
            && let Some(key) = random::uuid().and_then(|key| HeaderValue::try_from(key).ok())
        {
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        Ok(())
    }

    async fn exec(&self, request: reqwest::Request, info: &OperationInfo) -> reqwest::Result<reqwest::Response> {
        let outcome = Box::pin(call::run(&self.client, &self.inner, request, info.operation_id)).await;
        Ok(outcome.unwrap_or_else(error_response::carrying))
    }
}
