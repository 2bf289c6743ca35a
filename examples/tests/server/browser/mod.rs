//! The dashboard and the hosted site in a real Chromium. Where `chromedriver` and `chromium` are not installed, these tests say that they skip;
//! where `CONTENTGEN_TEST_CHROMEDRIVER` names a driver, they never do.

mod accessible;
mod answers;
mod any_language;
mod driver;
mod filled;
mod first_hour;
mod hosted;
mod keyboard;
mod screenshots;
mod user;
mod valid_html;
mod view;
mod walk;
