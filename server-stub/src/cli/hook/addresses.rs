//! Addresses that the command line may register hooks for. `hooks` decides where the server sends them.

use crate::cli::failure::{Exit, Failure};
use crate::config::{Hook, HookAddresses};
use crate::hooks::AddressPolicy;

/// Refuses a list that is too long.
pub(in crate::cli) fn check_listed(addresses: &HookAddresses) -> Result<(), Failure> {
    if addresses.listed.len() > AddressPolicy::MAX_LISTED {
        let message = format!(
            "--hook-allow-cidr has {} networks, at most {} are allowed; merge adjacent networks",
            addresses.listed.len(),
            AddressPolicy::MAX_LISTED
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

/// Returns the addresses that a command about hooks may register.
pub(in crate::cli) fn address_policy(command: &Hook) -> Result<AddressPolicy, Failure> {
    match command {
        Hook::Create(options) => policy_of(&options.addresses),
        _ => Ok(AddressPolicy::allow_loopback()),
    }
}

/// Returns the addresses that a command may register: public addresses, this machine, and the operator's list.
pub(in crate::cli) fn policy_of(addresses: &HookAddresses) -> Result<AddressPolicy, Failure> {
    check_listed(addresses)?;
    let listed = addresses.listed.iter().copied();
    Ok(AddressPolicy::with_listed(AddressPolicy::loopback().into_iter().chain(listed)))
}
