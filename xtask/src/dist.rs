//! `cargo xtask dist`: archives of all programs for this platform, and their checksums. Each archive is unpacked into an empty folder, and
//! its program is run there.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::cargo::cargo;

/// A program, the folder of its crate, and a command that it can run without files around it.
struct Program {
    name: &'static str,
    folder: &'static str,
    trial: &'static [&'static str],
}

const PROGRAMS: [Program; 4] = [
    Program { name: "contentgen", folder: "cli", trial: &["man"] },
    Program { name: "contentgen-server", folder: "server-stub", trial: &["--help"] },
    Program { name: "contentgen-conformance", folder: "conformance", trial: &["list"] },
    Program { name: "contentgen-faults", folder: "faults", trial: &["--help"] },
];
/// Shells whose completion scripts are in the archive of `contentgen`, and the names of the files that the shells look for.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "contentgen.bash"),
    ("zsh", "_contentgen"),
    ("fish", "contentgen.fish"),
    ("elvish", "contentgen.elv"),
    ("powershell", "_contentgen.ps1"),
];
/// Files of the project that are in every archive.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
/// File with the checksums, in the format of `sha256sum`.
const CHECKSUMS: &str = "SHA256SUMS";

/// Packs all programs for this platform.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder for the archives; an earlier one is replaced.
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
    /// Pack the programs of this folder instead of building them.
    #[arg(long, value_name = "DIRECTORY")]
    programs: Option<PathBuf>,
}

/// Builds, packs and tries the programs of the workspace at `root`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let built = match &arguments.programs {
        Some(folder) => folder.canonicalize().with_context(|| format!("{} cannot be found", folder.display()))?,
        None => build(root)?,
    };
    let out = root.join(&arguments.out);
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("{} cannot be replaced", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    let out = out.canonicalize()?;
    let mut checksums = String::new();
    for program in &PROGRAMS {
        let name = pack(root, &built, &out, program)?;
        let bytes = fs::read(out.join(&name))?;
        for byte in Sha256::digest(&bytes) {
            write!(checksums, "{byte:02x}")?;
        }
        writeln!(checksums, "  {name}")?;
    }
    fs::write(out.join(CHECKSUMS), checksums)?;
    writeln!(std::io::stdout(), "{} has {} archives and {CHECKSUMS}", out.display(), PROGRAMS.len())?;
    Ok(())
}

/// Builds the programs and returns their folder.
fn build(root: &Path) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--bins"]).current_dir(root);
    build.args([
        "-p",
        "contentgen-cli",
        "-p",
        "contentgen-server-stub",
        "-p",
        "contentgen-conformance",
        "-p",
        "contentgen-faults",
    ]);
    ensure!(build.status().context("cargo cannot be run")?.success(), "the programs were not built");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release"))
}

/// Packs a program into an archive, tries it, and returns the name of the archive.
fn pack(root: &Path, built: &Path, out: &Path, program: &Program) -> Result<String> {
    let Program { name, folder, .. } = program;
    let executable = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let version = output(Command::new(built.join(&executable)).arg("--version"))?;
    let version = version.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    let release = format!("{name}-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let stage = out.join(&release);
    fs::create_dir(&stage)?;
    fs::copy(built.join(&executable), stage.join(&executable))?;
    for license in LICENSES {
        fs::copy(root.join(license), stage.join(license))?;
    }
    let own = |file: &str| Some(root.join(folder).join(file)).filter(|path| path.exists());
    fs::copy(own("README.md").unwrap_or_else(|| root.join("README.md")), stage.join("README.md"))?;
    fs::copy(own("CHANGELOG.md").unwrap_or_else(|| root.join("CHANGELOG.md")), stage.join("CHANGELOG.md"))?;
    if *name == "contentgen" {
        fs::create_dir(stage.join("completions"))?;
        fs::create_dir(stage.join("man"))?;
        for (shell, file) in SHELLS {
            let script = output(Command::new(built.join(&executable)).args(["completions", shell]))?;
            fs::write(stage.join("completions").join(file), script)?;
        }
        output(Command::new(built.join(&executable)).arg("man").arg("--output-dir").arg(stage.join("man")))?;
    }
    let archive = format!("{release}.tar.gz");
    output(Command::new("tar").arg("-czf").arg(out.join(&archive)).arg("-C").arg(out).arg(&release))?;
    fs::remove_dir_all(&stage)?;
    try_out(out, &archive, &release, program, &version).with_context(|| format!("{archive} does not work"))?;
    Ok(archive)
}

/// Unpacks an archive into an empty folder and runs its program there.
fn try_out(out: &Path, archive: &str, release: &str, program: &Program, version: &str) -> Result<()> {
    let empty = out.join("trial");
    fs::create_dir(&empty)?;
    output(Command::new("tar").arg("-xzf").arg(out.join(archive)).arg("-C").arg(&empty))?;
    let unpacked = empty.join(release).join(format!("{}{}", program.name, std::env::consts::EXE_SUFFIX));
    let run = |words: &[&str]| output(Command::new(&unpacked).args(words).env_clear().current_dir(&empty));
    ensure!(run(&["--version"])?.trim() == format!("{} {version}", program.name), "it has another version");
    ensure!(!run(program.trial)?.trim().is_empty(), "`{} {}` prints nothing", program.name, program.trial.join(" "));
    fs::remove_dir_all(&empty)?;
    Ok(())
}

/// Runs a command and returns its standard output.
fn output(command: &mut Command) -> Result<String> {
    let shown = command.get_program().to_owned();
    let done = command.output().with_context(|| format!("{} cannot be run", shown.display()))?;
    ensure!(done.status.success(), "{} failed: {}", shown.display(), String::from_utf8_lossy(&done.stderr));
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
