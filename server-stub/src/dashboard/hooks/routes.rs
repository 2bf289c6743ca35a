//! Routes of the webhook pages.

use super::super::routes::Table;
use super::{deliveries, delivery, edit, endpoint, list, redeliver, remove, secret};

/// Adds the routes of these pages.
pub(in crate::dashboard) fn routes(table: Table) -> Table {
    table
        .get("/dashboard/hooks", list::show)
        .get("/dashboard/hooks/new", edit::show_new)
        .post("/dashboard/hooks/new", edit::create)
        .get("/dashboard/hooks/deliveries", deliveries::show)
        .get("/dashboard/hooks/deliveries/redeliver", redeliver::show)
        .post("/dashboard/hooks/deliveries/redeliver", redeliver::submit)
        .get("/dashboard/hooks/deliveries/{delivery_id}", delivery::show)
        .post("/dashboard/hooks/deliveries/{delivery_id}/redeliver", delivery::redeliver)
        .get("/dashboard/hooks/{hook_id}", endpoint::show)
        .post("/dashboard/hooks/{hook_id}/status", endpoint::set_status)
        .post("/dashboard/hooks/{hook_id}/test", endpoint::send_test)
        .post("/dashboard/hooks/{hook_id}/recover", endpoint::recover)
        .get("/dashboard/hooks/{hook_id}/edit", edit::show)
        .post("/dashboard/hooks/{hook_id}/edit", edit::save)
        .get("/dashboard/hooks/{hook_id}/secret", secret::show)
        .post("/dashboard/hooks/{hook_id}/secret", secret::submit)
        .get("/dashboard/hooks/{hook_id}/remove", remove::show)
        .post("/dashboard/hooks/{hook_id}/remove", remove::submit)
}
