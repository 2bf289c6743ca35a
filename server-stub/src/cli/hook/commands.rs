//! `hook`: registers and manages endpoints and sends deliveries again. `lists` prints lists.

use super::lists;
use crate::app::App;
use crate::cli::create;
use crate::cli::failure::Failure;
use crate::cli::run::print;
use crate::config::{DeliverySelector, Hook};

pub(in crate::cli) async fn run(app: &App, command: Hook) -> Result<(), Failure> {
    let account = app.account(&command.owner().account).await?;
    let account = &account;
    match command {
        Hook::Create(options) => create::hook(app, account, options).await,
        Hook::List(options) => lists::endpoints(app, account, &options).await,
        Hook::Deliveries(options) => lists::deliveries(app, account, &options).await,
        Hook::Attempts(options) => lists::attempts(app, account, &options).await,
        Hook::Rotate(options) => {
            let id = &options.hook.id;
            let rotated = app.rotate_secret(account, id, options.overlap()).await?;
            let (secret, until) = (rotated.secret.reveal(), rotated.overlap_until);
            print(&format!("hook: {id}\nsecret: {secret}\nformer_secret_until: {until}\n"))
        }
        Hook::Reveal(options) => {
            let secret = app.reveal_secret(account, &options.id).await?;
            print(&format!("hook: {}\nsecret: {}\n", options.id, secret.reveal()))
        }
        Hook::Pause(options) => {
            app.pause_endpoint(account, &options.id).await?;
            print(&format!("hook: {}\nstatus: paused\n", options.id))
        }
        Hook::Resume(options) => {
            app.resume_endpoint(account, &options.id).await?;
            print(&format!("hook: {}\nstatus: active\n", options.id))
        }
        Hook::Remove(options) => {
            app.remove_endpoint(account, &options.id).await?;
            print(&format!("removed: {}\n", options.id))
        }
        Hook::Test(options) => {
            let delivery_id = app.send_test(account, &options.id).await?;
            print(&format!("hook: {}\ndelivery: {delivery_id}\n", options.id))
        }
        Hook::Redeliver(options) => {
            let delivery = match options.which {
                DeliverySelector { delivery: Some(delivery), .. } => {
                    app.redeliver(account, &delivery).await?;
                    delivery
                }
                DeliverySelector { id, event, .. } => {
                    let (id, event) = (id.unwrap_or_default(), event.unwrap_or_default());
                    app.redeliver_event(account, &id, &event).await?
                }
            };
            print(&format!("delivery: {delivery}\nstatus: pending\n"))
        }
        Hook::Recover(options) => {
            let recovered = app.recover(account, &options.hook.id, options.since).await?;
            print(&format!("hook: {}\nrecovered: {recovered}\n", options.hook.id))
        }
    }
}
