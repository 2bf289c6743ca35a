//! The first hour of a user: signs in, creates a website and a key, generates articles in their voice, sees leads, and receives
//! webhooks, also after the receiver was broken for a while.

mod articles;
mod hooks;
mod leads;
mod set_up;

use contentgen_server_stub::server::{self, Running, Settings};

use super::driver::{Driver, Script};
use super::user::{Hand, User};

/// Retry schedule of webhooks: the server gives up a failing receiver soon, so that the test does not wait for days.
const PAUSES: &str = "10ms,10ms";

/// A user in their first hour, and their server.
struct FirstHour {
    user: User,
    server: Running,
}

impl FirstHour {
    /// Checks that scripts run if and only if they are on.
    async fn has_scripts_only_where_they_are_on(&self) {
        let page = "data:text/html,<body>off<script>document.body.textContent = 'on'</script>";
        self.user.open(page).await;
        self.user.sees(if self.user.has_script() { "on" } else { "off" }).await;
    }

    /// Waits until the page shows a text. Reloads the page only if scripts are off.
    async fn sees_in_time(&self, text: &str) {
        if self.user.has_script() {
            self.user.sees(text).await;
        } else {
            self.user.sees_after_reloading(text).await;
        }
    }
}

async fn the_first_hour(script: Script, hand: Hand) {
    let Some(driver) = Driver::shared() else { return };
    let settings = Settings { hook_retry_schedule: PAUSES.parse().expect("pauses are written so"), ..Settings::demo() };
    let server = server::start(settings).await.expect("a loopback port and a temporary folder are to be had");
    let user = User::new(&driver, script, &crate::base_url(&server)).await.with(hand);
    let hour = FirstHour { user, server };
    hour.takes_every_step().await;
    hour.user.leaves().await;
    hour.server.stop().await;
}

impl FirstHour {
    async fn takes_every_step(&self) {
        self.has_scripts_only_where_they_are_on().await;
        self.signs_in_by_the_one_time_link().await;
        let website_id = self.makes_a_website().await;
        let client = self.makes_a_key().await;
        let mut receiver = self.registers_a_hook().await;
        let article = self.watches_an_article_appear_on_the_board(&client).await;
        self.forbids_a_word_that_the_next_article_avoids(&client, &article).await;
        self.approves_an_article(&client, &website_id).await;
        self.opens_its_hosted_page().await;
        self.sends_the_lead_form().await;
        self.sees_the_lead().await;
        self.sees_its_delivery(&mut receiver).await;
        self.sees_the_failures_of_a_broken_receiver(&receiver).await;
        self.redelivers_all_that_failed(&mut receiver).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_with_javascript() {
    the_first_hour(Script::On, Hand::Mouse).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_without_javascript() {
    the_first_hour(Script::Off, Hand::Mouse).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_by_keyboard_alone() {
    the_first_hour(Script::On, Hand::Keyboard).await;
}
