//! A server that reports success for pausing and resuming websites, erasing leads, restarting, breaking its writer and moving its clock, and
//! does nothing.

use std::time::Duration;

use contentgen_conformance::check::{ClockSwitch, LeadEraser, Restarter, WebsiteSwitch, WriterState, WriterSwitch};
use futures::future::{BoxFuture, FutureExt as _, ready};

#[derive(Debug)]
pub(super) struct IdleSwitch;

impl WebsiteSwitch for IdleSwitch {
    fn pause(&self, _website_id: String) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }

    fn resume(&self, _website_id: String) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}

impl LeadEraser for IdleSwitch {
    fn erase(&self, _lead_id: String) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}

impl Restarter for IdleSwitch {
    fn restart(&self) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}

impl WriterSwitch for IdleSwitch {
    fn switch(&self, _state: WriterState) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}

impl ClockSwitch for IdleSwitch {
    fn advance(&self, _by: Duration) -> BoxFuture<'_, Result<(), String>> {
        ready(Ok(())).boxed()
    }
}
