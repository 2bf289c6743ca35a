//! What the hooks know of the client that a request is sent with.

use crate::key::ApiKey;
use crate::options::RequestOptions;

/// The key and the options of a client.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(crate) key: ApiKey,
    pub(crate) options: RequestOptions,
}
