//! `user create` and `user link`: manage the users of the dashboard.

use super::failure::Failure;
use super::run::print;
use crate::app::App;
use crate::config::{CreateUser, LinkUser};
use crate::domain::duration;
use crate::domain::public_url::PublicUrl;
use crate::domain::user::{SIGN_IN_LINK_LIFETIME, User};

pub(super) async fn create(app: &App, options: &CreateUser) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let user = app.create_user(&account, &options.email).await?;
    print(&format!("user: {}\nemail: {}\n", user.id, user.email.as_str()))?;
    print_link(app, &user, &options.public_url).await
}

pub(super) async fn link(app: &App, options: &LinkUser) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let user = app.user(&account, &options.email).await?;
    print_link(app, &user, &options.public_url).await
}

async fn print_link(app: &App, user: &User, public_url: &PublicUrl) -> Result<(), Failure> {
    let token = app.create_sign_in_link(user).await?;
    let url = public_url.absolute(&format!("/dashboard/sign-in/{}", token.reveal()));
    let valid_for = duration::show(SIGN_IN_LINK_LIFETIME);
    print(&format!("sign_in_url: {url}\nThe link works once, within {valid_for}; a password can be set then.\n"))
}
