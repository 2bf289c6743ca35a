//! Every operation, called once.

use crate::check::Request;

/// Operations that are charged to the policy `api`, with a path that needs no object.
pub(crate) const OPERATIONS: [(&str, &str, &str); 8] = [
    ("get_article", "GET", "/articles/art_x"),
    ("get_job", "GET", "/jobs/job_x"),
    ("cancel_job", "POST", "/jobs/job_x/cancel"),
    ("list_leads", "GET", "/leads"),
    ("get_lead", "GET", "/leads/lead_x"),
    ("list_articles", "GET", "/articles"),
    ("list_scheduled_posts", "GET", "/scheduled_posts"),
    ("list_websites", "GET", "/websites"),
];

pub(crate) fn operation(index: usize) -> Request {
    let (operation, method, path) = OPERATIONS[index % OPERATIONS.len()];
    Request::new(operation, method, path)
}
