//! Registers every URL and never sends a webhook.

use contentgen_conformance::inbox::{HookAbility, HookRegistrar, Registration};
use contentgen_conformance::runner::HookSetUp;
use futures::future::{BoxFuture, FutureExt as _, ready};
use std::sync::Arc;

#[derive(Debug)]
struct Silent;

fn registered() -> BoxFuture<'static, Result<Registration, String>> {
    let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=".to_owned();
    ready(Ok(Registration { id: Some("endpoint_1".to_owned()), secret: Some(secret) })).boxed()
}

impl HookRegistrar for Silent {
    fn register(&self, _url: String) -> BoxFuture<'_, Result<Registration, String>> {
        registered()
    }

    fn remove(&self, _registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }

    fn offers(&self, _ability: HookAbility) -> bool {
        true
    }

    fn register_leads(&self, _url: String) -> BoxFuture<'_, Result<Registration, String>> {
        registered()
    }

    fn rotate(&self, _registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        registered()
    }

    fn redeliver(&self, _registration: Registration, _event: String) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}

/// Returns a set-up with all optional settings of webhooks.
pub(super) fn set_up() -> HookSetUp {
    HookSetUp { standard_webhooks: true, probe_private_addresses: true, ..HookSetUp::loopback(Some(Arc::new(Silent))) }
}
