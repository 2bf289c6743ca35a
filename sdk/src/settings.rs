//! What a call knows of the client that sends it.

use crate::key::ApiKey;
use crate::options::RequestOptions;

/// The key and the options of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) key: ApiKey,
    pub(crate) options: RequestOptions,
}
