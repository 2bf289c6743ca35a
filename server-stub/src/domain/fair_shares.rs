//! Shares of the accounts in a claim, so that no account delays the others.

/// Divides `limit` items among accounts. `wanted` contains the number of items that each account wants. The accounts take turns:
/// each gets one item per turn until it has all that it wants. So the first accounts get one more if there is a remainder.
pub fn fair_shares(wanted: &[u32], limit: u32) -> Vec<u32> {
    let mut shares = vec![0; wanted.len()];
    let mut left = limit;
    while left > 0 && shares != wanted {
        for (share, wanted) in shares.iter_mut().zip(wanted) {
            let taken = left.min(1).min(wanted - *share);
            *share += taken;
            left -= taken;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accounts_take_turns_and_the_first_get_the_remainder() {
        assert_eq!(fair_shares(&[8, 3], 8), [5, 3]);
        assert_eq!(fair_shares(&[8, 8, 8], 8), [3, 3, 2]);
        assert_eq!(fair_shares(&[8, 0, 1], 1), [1, 0, 0]);
        assert_eq!(fair_shares(&[2, 1], 8), [2, 1]);
    }

    proptest! {
        #[test]
        fn nothing_is_left_over_and_no_account_gets_two_more_than_one_that_waits(
            wanted in prop::collection::vec(0..40_u32, 0..12),
            limit in 0..200_u32,
        ) {
            let shares = fair_shares(&wanted, limit);
            prop_assert_eq!(shares.iter().sum::<u32>(), limit.min(wanted.iter().sum()));
            for (number, (share, wants)) in shares.iter().zip(&wanted).enumerate() {
                prop_assert!(share <= wants);
                if share < wants {
                    prop_assert!(shares[..number].iter().all(|other| *other <= share + 1), "{shares:?}");
                    prop_assert!(shares[number..].iter().all(|other| other <= share), "{shares:?}");
                }
            }
        }
    }
}
