//! Dispatch of the parsed command line to the commands.

use super::{
    api, article, articles, cancel, completions, generate, interrupt, job, lead, leads, listen, man, post, posts,
    trigger, wait, websites,
};
use crate::arguments::{Arguments, Command};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;

/// Runs the command of a command line.
pub(crate) async fn execute(arguments: Arguments, screen: Screen) -> Result<(), Failure> {
    let Arguments { global, command } = arguments;
    let open = || Connection::open(&global);
    match command {
        Command::Completions(options) => completions::completions(&options, screen),
        Command::Man(options) => man::man(&options, screen),
        // `listen` handles Ctrl-C itself, to end in order.
        Command::Listen(options) => listen::listen(options, &global, screen).await,
        Command::Generate(options) => {
            let topic = generate::topic(&options, screen)?;
            interrupt::ends(generate::generate(*options, topic, &open()?, screen)).await
        }
        Command::Wait(options) => interrupt::ends(wait::wait(&options, &open()?, screen)).await,
        Command::Job(options) => interrupt::ends(job::job(&options, &open()?, screen)).await,
        Command::Cancel(options) => interrupt::ends(cancel::cancel(&options, &open()?, screen)).await,
        Command::Article(options) => interrupt::ends(article::article(options, &open()?, screen)).await,
        Command::Articles(options) => interrupt::ends(articles::articles(&options, &open()?, screen)).await,
        Command::Posts(options) => interrupt::ends(posts::posts(&options, &open()?, screen)).await,
        Command::Post(options) => interrupt::ends(post::post(&options, &open()?, screen)).await,
        Command::Lead(options) => interrupt::ends(lead::lead(&options, &open()?, screen)).await,
        Command::Trigger(options) => interrupt::ends(trigger::trigger(&options, &open()?, screen)).await,
        Command::Api(options) => {
            let body = api::body(&options)?;
            interrupt::ends(api::api(options, body, &open()?, screen)).await
        }
        Command::Leads(options) => {
            leads::check(&options, screen)?;
            interrupt::ends(leads::leads(&options, &open()?, screen)).await
        }
        Command::Websites => interrupt::ends(websites::websites(&open()?, screen)).await,
    }
}
