//! The dashboard in a real Chromium. Where `chromedriver` and `chromium` are not installed, these tests say that they skip;
//! where `CONTENTGEN_TEST_CHROMEDRIVER` names a driver, they never do.

mod accessible;
mod answers;
mod driver;
mod filled;
mod first_hour;
mod keyboard;
mod screenshots;
mod user;
mod view;
mod walk;
