//! From what was typed to what is done.

use super::{article, cancel, completions, generate, interrupt, job, leads, listen, wait, websites};
use crate::arguments::{Arguments, Command};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;

/// Does what a command line asks for.
pub(crate) async fn execute(arguments: Arguments, screen: Screen) -> Result<(), Failure> {
    let Arguments { global, command } = arguments;
    let open = || Connection::open(&global);
    match command {
        Command::Completions(options) => completions::completions(&options, screen),
        // It ends by Ctrl-C, in order.
        Command::Listen(options) => listen::listen(options, &global, screen).await,
        Command::Generate(options) => interrupt::ends(generate::generate(*options, &open()?, screen)).await,
        Command::Wait(options) => interrupt::ends(wait::wait(&options, &open()?, screen)).await,
        Command::Job(options) => interrupt::ends(job::job(&options, &open()?, screen)).await,
        Command::Cancel(options) => interrupt::ends(cancel::cancel(&options, &open()?, screen)).await,
        Command::Article(options) => interrupt::ends(article::article(&options, &open()?, screen)).await,
        Command::Leads(options) => {
            leads::check(&options, screen)?;
            interrupt::ends(leads::leads(&options, &open()?, screen)).await
        }
        Command::Websites => interrupt::ends(websites::websites(&open()?, screen)).await,
    }
}
