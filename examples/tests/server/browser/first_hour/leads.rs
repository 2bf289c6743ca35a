//! Leads: a reader of the hosted page sends one, and the user sees it in the dashboard.

use super::FirstHour;

const MESSAGE: &str = "Is there a course on a Saturday?";

impl FirstHour {
    pub(super) async fn sends_the_lead_form(&self) {
        self.user.fill("E-mail", "ada@example.com").await;
        self.user.fill("Name", "Ada Brook").await;
        self.user.fill("Message", MESSAGE).await;
        self.user.tick("You may use my address to answer me.").await;
        self.user.press("Send").await;
        self.user.sees("Thank you").await;
        self.user.open("/dashboard").await;
    }

    pub(super) async fn sees_the_lead(&self) {
        self.user.press("Leads").await;
        self.user.follow("Ada Brook").await;
        self.user.sees("ada@example.com").await;
        self.user.sees(MESSAGE).await;
        self.user.sees("You may use my address to answer me.").await;
    }
}
