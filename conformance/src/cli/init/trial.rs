//! Tries the commands for `init`: registers and removes a throw-away address, pauses and resumes a website.
//!
//! The output of a command may be a secret, so the trial only shows how it was understood.

use std::path::Path;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::answers::{HookAnswers, PausingAnswers};
use crate::check::{PausableWebsite, WebsiteSwitch};
use crate::cli::command::execute;
use crate::cli::placeholder::{HOOK_ID, HOOK_URL, Placeholder};
use crate::cli::set_up_commands::{CommandRegistrar, CommandSwitch};
use crate::runner::{HookRegistrar as _, Registration};

/// Path of the address that is registered temporarily.
const PATH: &str = "/conformance-init-throw-away";

/// Results of the commands.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// The steps and how their output was understood, a line each.
    pub(super) seen: Vec<String>,
    /// The problem to correct, if any: one clause.
    pub(super) wrong: Option<String>,
}

impl Trial {
    fn saw(&mut self, line: impl Into<String>) {
        self.seen.push(line.into());
    }

    /// Returns the result of a command and keeps its error.
    fn of<Done>(&mut self, command: &str, ended: Result<Done, String>) -> Option<Done> {
        ended.map_err(|error| self.wrong = Some(format!("{command}: {error}"))).ok()
    }
}

/// Registers a throw-away address, removes it, and checks that it was removed.
pub(super) async fn registration(folder: &Path, answers: &HookAnswers) -> Trial {
    let mut trial = Trial::default();
    let register = words(&answers.register);
    let remove = Some(words(&answers.remove)).filter(|words| !words.is_empty());
    let uses =
        |words: &[String], value: &Placeholder| words.is_empty() || words.iter().any(|word| value.is_used_in(word));
    if !uses(&register, &HOOK_URL) {
        trial.saw(
            "register: no argument contains {url}; unless it reads CONTENTGEN_HOOK_URL, it always registers the same address",
        );
    }
    let removal = remove.clone().unwrap_or_default();
    if !uses(&removal, &HOOK_ID) {
        trial.wrong = Some(
            "remove: no argument contains {id}; unless it reads CONTENTGEN_HOOK_ID, it cannot know what to remove"
                .to_owned(),
        );
        return trial;
    }
    let receiver = Receiver::start().await;
    let port = receiver.as_ref().map_or(9, |receiver| receiver.port);
    let url = format!("{}{PATH}", answers.public_url.replace("{port}", &port.to_string()).trim_end_matches('/'));
    let registrar = CommandRegistrar {
        folder: folder.to_owned(),
        register,
        remove,
        register_leads: None,
        rotate: None,
        redeliver: None,
    };
    try_registrar(&mut trial, &registrar, &url).await;
    trial
}

async fn try_registrar(trial: &mut Trial, registrar: &CommandRegistrar, url: &str) {
    let Some(first) = trial.of("register", registrar.register(url.to_owned()).await) else { return };
    trial.saw(format!("register: registered {url}, and printed {}", told(&first)));
    let (Some(remove), Some(id)) = (&registrar.remove, first.id.clone()) else {
        trial.saw("remove: not configured, so this address stays registered: remove it by hand");
        return;
    };
    let removal = async || execute(&registrar.folder, remove, &[(&HOOK_ID, &id)]).await;
    let Some(printed) = trial.of("remove", removal().await) else { return };
    trial.saw(format!("remove: succeeded for {id}"));
    // A removed address can be registered again, under a new id or with a new secret.
    let Some(second) = trial.of("register, once more", registrar.register(url.to_owned()).await) else { return };
    let removed = registrar.remove(second.clone()).await;
    if trial.of("remove, once more", removed).is_none() {
        return;
    }
    if second.id == first.id && second.secret.is_some() && second.secret == first.secret {
        trial.wrong = Some(format!(
            "remove: it succeeded but removed nothing: the address was registered again as the same {id}, with the same secret"
        ));
        return;
    }
    if second.id != first.id && removal().await.is_ok_and(|again| again == printed) {
        trial.saw(
            "remove: it also succeeds if there is nothing left to remove; the requirement hooks.registration.removed checks \
             whether it removes anything",
        );
    }
}

/// Describes how an output was understood.
fn told(registration: &Registration) -> String {
    let id = registration.id.as_ref().map_or("no id".to_owned(), |id| format!("the id {id}"));
    let secret = registration.secret.as_ref();
    let secret =
        secret.map_or("no secret".to_owned(), |secret| format!("a secret of {} characters", secret.chars().count()));
    format!("{id} and {secret}")
}

/// Pauses the website and resumes it.
pub(super) async fn pause(folder: &Path, answers: &PausingAnswers) -> Trial {
    let mut trial = Trial::default();
    let switch =
        CommandSwitch { folder: folder.to_owned(), pause: words(&answers.pause), resume: words(&answers.resume) };
    let switch: Arc<dyn WebsiteSwitch> = Arc::new(switch);
    let website = PausableWebsite::new(answers.website_id.clone(), switch);
    let Ok(turn) = website.turn().await else { return trial };
    let paused = trial.of("pause", turn.pause().await);
    if paused.is_some() {
        trial.saw(format!("pause: succeeded for {}", answers.website_id));
    }
    // The website may be paused anyway.
    let resumed = turn.resume().await;
    if let Some(before) = trial.wrong.take() {
        trial.wrong = Some(match resumed {
            Ok(()) => before,
            Err(error) => format!("{before}; resume: {error}"),
        });
    } else if trial.of("resume", resumed).is_some() {
        trial.saw(format!("resume: succeeded for {}", answers.website_id));
    }
    trial
}

/// Splits a command line into words.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_default()
}

/// Accepts the requests that a server sends to a new address. It ends when this is dropped.
struct Receiver {
    port: u16,
    _task: JoinSet<()>,
}

impl Receiver {
    async fn start() -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.ok()?;
        let port = listener.local_addr().ok()?.port();
        let mut task = JoinSet::new();
        task.spawn(take_all(listener));
        Some(Self { port, _task: task })
    }
}

async fn take_all(listener: TcpListener) {
    while let Ok((mut stream, _)) = listener.accept().await {
        // The sender may close the connection at any time.
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await;
    }
}
