//! The steps of the first hour, each by what a user sees.

use contentgen_server_stub::server::Running;

use super::super::user::User;

/// Somebody in their first hour, and the server that they use.
pub(super) struct FirstHour {
    user: User,
    server: Running,
}

impl FirstHour {
    pub(super) fn new(user: User, server: Running) -> Self {
        Self { user, server }
    }

    pub(super) async fn signs_in_by_the_one_time_link(&self) {
        let account = &self.server.accounts()[0];
        let link = self.server.sign_in_url(account).expect("the demonstration has a dashboard");
        self.user.open(&link).await;
        self.user.sees(&account.email).await;
        self.user.press("Sign in").await;
        self.user.sees("You have no password yet").await;
        self.user.sees("Overview").await;
        // It worked once.
        self.user.open(&link).await;
        self.user.sees("This link was used before").await;
        self.user.open("/dashboard").await;
    }

    /// Returns its id.
    pub(super) async fn makes_a_website(&self) -> String {
        self.user.press("Websites").await;
        self.user.press("New website").await;
        self.user.fill("Name", "Evening courses").await;
        self.user.fill("Address", "https://courses.example.com").await;
        self.user.fill("Time zone", "Europe/Vienna").await;
        self.user.tick("Publish only what somebody has approved").await;
        self.user.press("Make the website").await;
        self.user.sees("The website is made").await;
        let address = self.user.address().await;
        let (path, _) = address.split_once('?').expect("a notice is in the address");
        path.rsplit_once('/').expect("a path has slashes").1.to_owned()
    }

    pub(super) async fn ends(self) {
        self.user.leaves().await;
        self.server.stop().await;
    }
}
