//! What somebody does in the first hour: signs in, makes a website and a key, has articles written, sees leads, and is told by
//! hooks, also after the receiver was broken for a while.

mod keyboard;
mod steps;

use contentgen_server_stub::server::{self, Settings};

use super::driver::{Driver, Script};
use super::user::User;
use steps::FirstHour;

async fn the_first_hour(script: Script) {
    let Some(driver) = Driver::shared() else { return };
    let server = server::start(Settings::demo()).await.expect("a loopback port and a temporary folder are to be had");
    let user = User::new(&driver, script, &crate::base_url(&server)).await;
    let hour = FirstHour::new(user, server);
    hour.signs_in_by_the_one_time_link().await;
    let website_id = hour.makes_a_website().await;
    drop(website_id);
    hour.ends().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_with_javascript() {
    the_first_hour(Script::On).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_without_javascript() {
    the_first_hour(Script::Off).await;
}
