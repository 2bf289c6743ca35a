//! HTTP: methods, routes, bytes on the wire.

pub(super) mod accept;
pub(super) mod body;
pub(super) mod framing;
pub(super) mod head;
pub(super) mod id;
pub(super) mod method;
pub(super) mod order;
pub(super) mod quota;
pub(super) mod raw;
pub(super) mod request_id;
pub(super) mod route;
pub(super) mod server_error;
pub(super) mod status;
