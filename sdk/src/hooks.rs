//! How every generated operation gets its key, its idempotency key, its retries and its errors.

use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::header::{AUTHORIZATION, Entry, HeaderName, HeaderValue};

use crate::generated::{ACCEPT_IDEMPOTENCY_KEY, Client};
use crate::settings::Settings;
use crate::{call, error_response, random};

/// The header by which a server recognises a repeated request.
pub(crate) static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// A header of the generator's own, which no server of this API reads.
static GENERATOR_VERSION: HeaderName = HeaderName::from_static("api-version");

impl ClientHooks<Settings> for Client {
    async fn pre<E>(
        &self,
        request: &mut reqwest::Request,
        info: &OperationInfo,
    ) -> Result<(), progenitor_client::Error<E>> {
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, self.inner.key.header());
        headers.remove(&GENERATOR_VERSION);
        // One key per logical call, made before the first attempt: a repeated attempt repeats it.
        if ACCEPT_IDEMPOTENCY_KEY.contains(&info.operation_id)
            && let Entry::Vacant(vacant) = headers.entry(&IDEMPOTENCY_KEY)
            && let Ok(key) = HeaderValue::try_from(random::uuid())
        {
            vacant.insert(key);
        }
        Ok(())
    }

    async fn exec(&self, request: reqwest::Request, info: &OperationInfo) -> reqwest::Result<reqwest::Response> {
        let outcome = call::run(&self.client, &self.inner, request, info.operation_id).await;
        Ok(outcome.unwrap_or_else(error_response::carrying))
    }
}
