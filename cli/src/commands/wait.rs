//! `wait`: waits until the article of a job is readable.

use super::article_text::summary;
use super::raw::raw;
use super::waiting::article_of;
use crate::arguments::Wait;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;

/// Waits and prints the article.
pub(super) async fn wait(options: &Wait, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let article = article_of(&connection.client, &options.job_id, options.timeout, screen).await?;
    screen.result(|| summary(&article), &raw(&article))
}
