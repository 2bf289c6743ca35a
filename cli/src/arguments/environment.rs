//! Environment variables, read only in this file. Secrets are never arguments: other users of the machine can see a command line, and it
//! stays in the shell's history.

/// The platform key.
pub(crate) const API_KEY: &str = "CONTENTGEN_API_KEY";
/// The server.
pub(crate) const BASE_URL: &str = "CONTENTGEN_BASE_URL";
/// The file with further certificate authorities.
pub(crate) const CA_CERT: &str = "CONTENTGEN_CA_CERT";
/// The secrets of hooks, separated by commas.
pub(crate) const HOOK_SECRET: &str = "CONTENTGEN_HOOK_SECRET";
/// The file with the profiles.
pub(crate) const CONFIG: &str = "CONTENTGEN_CONFIG";
/// The profile to use.
pub(crate) const PROFILE: &str = "CONTENTGEN_PROFILE";
/// The website to write for.
pub(crate) const WEBSITE_ID: &str = "CONTENTGEN_WEBSITE_ID";

/// Section about the variables in `--help`.
pub(super) const VARIABLES: &str = "\
Environment:
  CONTENTGEN_API_KEY      the platform key; never given as an argument
  CONTENTGEN_BASE_URL     the server, such as https://api.example.com
  CONTENTGEN_WEBSITE_ID   the website to write for; by default the first active one
  CONTENTGEN_CA_CERT      a file with certificate authorities to trust, like --ca-cert
  CONTENTGEN_HOOK_SECRET  for `listen`: the endpoint's secret, or two separated by a comma
  CONTENTGEN_PROFILE      the profile that provides all of these, like --profile
  CONTENTGEN_CONFIG       the file with the profiles; by default contentgen/config.toml in the configuration folder";

/// Returns a variable if it is set and not blank.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}
