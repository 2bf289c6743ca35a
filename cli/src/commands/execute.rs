//! Dispatch of the parsed command line to the commands.

use super::{
    api, article, articles, completions, generate, interrupt, jobs, lead, leads, listen, login, man, post, posts,
    trigger, wait, websites,
};
use crate::arguments::{Arguments, Command, Demo, ListVerb, Verb};
use crate::connection::{Connection, NewProfile};
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
        Command::Jobs(options) => interrupt::ends(jobs::jobs(&options, &open()?, screen)).await,
        Command::Articles(resource) => match resource.verb() {
            Verb::List(options) => interrupt::ends(articles::articles(&options, &open()?, screen)).await,
            Verb::Get(options) => interrupt::ends(article::article(options, &open()?, screen)).await,
        },
        Command::Posts(resource) => match resource.verb() {
            Verb::List(options) => interrupt::ends(posts::posts(&options, &open()?, screen)).await,
            Verb::Get(options) => interrupt::ends(post::post(&options, &open()?, screen)).await,
        },
        Command::Leads(resource) => match resource.verb() {
            Verb::List(options) => {
                leads::check(&options, screen)?;
                interrupt::ends(leads::leads(&options, &open()?, screen)).await
            }
            Verb::Get(options) => interrupt::ends(lead::lead(&options, &open()?, screen)).await,
        },
        Command::Websites(resource) => {
            let ListVerb::List(paging) = resource.verb();
            interrupt::ends(websites::websites(&paging, &open()?, screen)).await
        }
        Command::Login(options) => {
            let profile = NewProfile::of(&global, options.website_id)?;
            let key = login::key(screen)?;
            interrupt::ends(login::login(&profile, &global, key, screen)).await
        }
        Command::Api(options) => {
            let body = api::body(&options)?;
            interrupt::ends(api::api(options, body, &open()?, screen)).await
        }
        Command::Demo(Demo::Trigger(options)) => interrupt::ends(trigger::trigger(&options, &open()?, screen)).await,
    }
}
