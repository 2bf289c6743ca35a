//! Tests the dashboard and the hosted site in a real Chromium. If `chromedriver` or `chromium` is not installed, these tests are
//! skipped with a message. If `CONTENTGEN_TEST_CHROMEDRIVER` names a driver, they fail instead.

mod accessible;
mod answers;
mod any_language;
mod driver;
mod filled;
mod first_hour;
mod hosted;
mod keyboard;
mod own_address;
mod screenshots;
mod user;
mod valid_html;
mod view;
mod walk;
