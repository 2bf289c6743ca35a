//! The list of promises, as a macro that creates a test of each on the store that `$open` opens. `$open` returns the store with its
//! database, which exists as long as the store, or `None` if there is no such database. `$cases` opens one store after the other, each
//! without records, for the cases of one test.

use std::fmt::Debug;

use contentgen_server_stub::storage::Store;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestRunner};

use super::world::World;

/// Checks `cases` cases, each on a store without records. Does nothing if there is no database.
pub(crate) fn for_each_case<K, C: Debug, F: Future<Output = ()>>(
    open: Option<impl Fn() -> (Store, K)>,
    count: u32,
    cases: impl Strategy<Value = C>,
    check: impl Fn(World, C) -> F,
) {
    let Some(open) = open else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config { cases: count, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&cases, |case| {
        runtime.block_on(async {
            let (store, _kept) = open();
            check(World::new(store).await, case).await;
        });
        Ok(())
    });
    outcome.unwrap();
}

/// Creates the tests.
macro_rules! promises {
    ($open:path, $cases:path) => {
        #[test]
        fn a_walk_over_leads_equals_the_model() {
            let cases = $crate::store::lists::lead_cases();
            $crate::store::promises::for_each_case(
                $cases(),
                24,
                cases,
                $crate::store::lists::a_walk_over_leads_equals_the_model,
            );
        }

        #[test]
        fn a_copy_kept_by_the_recipe_equals_the_leads() {
            let cases = $crate::store::sync::cases();
            $crate::store::promises::for_each_case(
                $cases(),
                24,
                cases,
                $crate::store::sync::a_copy_kept_by_the_recipe_equals_the_leads,
            );
        }

        #[test]
        fn a_walk_over_deliveries_equals_the_model() {
            let cases = $crate::store::delivery_search::cases();
            $crate::store::promises::for_each_case(
                $cases(),
                24,
                cases,
                $crate::store::delivery_search::a_walk_over_deliveries_equals_the_model,
            );
        }

        #[test]
        fn a_redelivery_makes_due_exactly_what_failed_and_matches() {
            let cases = $crate::store::delivery_search::failed_cases();
            $crate::store::promises::for_each_case(
                $cases(),
                24,
                cases,
                $crate::store::delivery_search::a_redelivery_makes_due_exactly_what_failed_and_matches,
            );
        }

        #[test]
        fn a_claim_takes_what_the_model_takes() {
            let cases = $crate::store::fairness::cases();
            $crate::store::promises::for_each_case(
                $cases(),
                24,
                cases,
                $crate::store::fairness::a_claim_takes_what_the_model_takes,
            );
        }

        #[test]
        fn a_claim_that_is_released_leaves_no_trace() {
            let cases = $crate::store::claims::cases();
            $crate::store::promises::for_each_case(
                $cases(),
                32,
                cases,
                $crate::store::claims::a_claim_that_is_released_leaves_no_trace,
            );
        }

        #[test]
        fn counts_of_days_equal_the_model() {
            let Some(open) = $cases() else { return };
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let config = proptest::test_runner::Config { cases: 24, failure_persistence: None, ..Default::default() };
            let cases = $crate::store::statistics::cases();
            let outcome = proptest::test_runner::TestRunner::new(config).run(&cases, |steps| {
                runtime.block_on(async {
                    let (store, database) = open();
                    let world = $crate::store::world::World::new(store).await.on(database);
                    $crate::store::statistics::counts_of_days_equal_the_model(world, steps).await;
                });
                Ok(())
            });
            outcome.unwrap();
        }

        #[test]
        fn a_post_is_published_at_most_once_and_a_cancelled_one_never() {
            let cases = $crate::store::pipeline::steps();
            $crate::store::promises::for_each_case(
                $cases(),
                48,
                cases,
                $crate::store::pipeline::a_post_is_published_at_most_once_and_a_cancelled_one_never,
            );
        }

        $crate::store::promises::each! { $open,
            accounts {
                an_account_is_found_by_name_and_id_and_its_name_is_taken
                records_read_back_as_they_were_stored
                a_website_of_an_unknown_account_is_refused
                who_saves_the_settings_of_a_website_leaves_its_state_and_the_other_way_round
                a_consent_text_that_was_replaced_is_known_for_a_while
                an_account_has_at_most_a_thousand_websites_even_when_they_are_made_at_once
                a_key_needs_an_active_website
                an_account_has_at_most_twenty_live_keys
                an_account_makes_at_most_fifty_keys_within_a_day
                keys_are_listed_by_state_and_name
                a_revoked_key_stays_revoked_and_leaves_room_for_another
                the_last_use_of_a_key_is_kept
                an_account_shows_any_name_and_is_found_by_its_first
                a_job_is_written_in_the_websites_voice_or_the_accounts_default
            }
            users {
                users_are_found_by_their_address_and_listed_in_their_order
                an_address_is_used_once_in_each_account
                an_account_has_at_most_twenty_users_even_when_they_are_added_at_once
                a_new_link_ends_the_former_ones_of_its_user
                a_user_is_removed_with_sessions_and_links
                the_last_user_of_an_account_stays_even_when_all_are_removed_at_once
                a_link_signs_in_once_even_when_it_is_used_at_once
                a_link_is_valid_for_a_day_and_for_its_user_alone
                a_session_is_found_by_its_token_touched_and_ended
                a_password_and_signing_out_everywhere_end_sessions_and_links
                a_further_session_ends_the_one_that_was_used_longest_ago
                whoever_signs_in_leaves_what_others_failed_at_from_the_same_network
                a_password_that_was_replaced_meanwhile_opens_no_session
                failed_tries_to_sign_in_count_until_an_hour_has_gone_by
            }
            audit {
                an_entry_is_written_with_its_change_or_not_at_all
                what_changes_nothing_leaves_no_entry
                a_change_whose_entry_cannot_be_stored_is_not_made
                changes_at_once_leave_an_entry_each
                the_trail_is_walked_newest_first_by_action_and_actor
            }
            claims {
                the_time_of_a_job_runs_from_its_start
                a_job_that_a_worker_holds_is_cancelled_like_any_other
                a_claim_that_lapsed_before_its_job_began_is_no_interruption
                jobs_begin_together_under_their_own_claims
                a_start_that_is_stored_again_begins_nothing_anew
                whoever_claims_a_job_holds_it_although_the_last_holder_comes_back
                a_failed_attempt_that_is_told_late_still_has_its_pause
            }
            clocks {
                nothing_is_published_early_after_the_clock_was_an_hour_ahead
                posts_are_published_on_time_after_the_clock_was_set_forward
                a_publication_that_is_tried_again_waits_for_both_clocks
                leases_and_queues_go_by_the_steady_time
                times_that_people_see_are_in_order_whoever_wrote_them
                the_scheduler_publishes_by_the_wall_clock
            }
            fairness {
                many_jobs_of_one_account_do_not_delay_those_of_another
                accounts_take_turns_also_if_each_claim_takes_one_job
                many_posts_of_one_account_do_not_delay_those_of_another
                accounts_take_turns_also_if_few_articles_may_be_pushed
                more_accounts_than_a_claim_takes_all_get_their_turn
            }
            submissions {
                a_submission_is_readable_at_once_with_its_post
                requests_with_one_idempotency_key_queue_one_job
                an_idempotency_key_is_free_again_after_a_day
                a_response_is_repeated_for_as_long_as_the_operator_wants
                a_full_queue_refuses_until_a_job_ends
                a_failing_submission_leaves_nothing_and_spoils_no_other
            }
            jobs {
                a_claimed_job_is_in_progress_and_its_completion_shows_everywhere
                those_of_many_jobs_that_have_ended_are_told
                an_article_that_needs_approval_waits_as_a_draft
                no_job_is_claimed_twice_while_its_lease_holds
                only_the_last_claim_may_finish_a_job
                a_renewed_lease_holds
                a_retry_waits_for_its_time_and_the_end_is_told_in_job_and_post
                a_job_whose_workers_crash_again_and_again_fails
                a_job_of_a_website_that_is_not_active_fails_when_it_is_claimed
                overdue_jobs_fail_whether_they_wait_or_run
                a_long_time_without_any_worker_costs_no_job
                a_cancelled_job_never_gets_an_article
                a_completed_job_is_not_cancelled
                articles_with_one_title_get_slugs_of_their_own
                a_failed_job_is_announced_only_where_somebody_asked
            }
            batches {
                jobs_of_several_websites_are_claimed_and_completed_at_once
                attempts_of_several_endpoints_are_recorded_at_once
            }
            publishing {
                a_post_is_due_at_its_time_and_not_before
                article_post_event_and_deliveries_are_published_together
                a_site_has_the_time_of_its_latest_change_and_knows_where_articles_are
                only_the_last_claim_may_publish
                a_failed_attempt_waits_and_a_final_one_is_announced
                a_post_whose_publishing_crashes_again_and_again_fails
                an_endpoint_that_asked_for_content_gets_it
            }
            article_edits {
                an_edit_is_the_next_version_and_overwrites_no_other
                edits_at_once_are_stored_once
                an_edit_and_its_entry_in_the_trail_are_written_together_or_not_at_all
                an_article_is_not_edited_while_it_is_published_or_archived
                an_edit_after_publication_has_one_event_where_somebody_asked
                an_edited_article_reaches_its_target_in_its_newest_version
                an_update_is_tried_again_and_a_failed_one_waits_for_its_user
                no_update_follows_an_article_that_is_taken_down
                an_update_that_waits_for_a_corrected_target_is_due_at_once
                an_update_goes_where_the_website_publishes_now
            }
            slots {
                a_website_keeps_the_slots_that_were_set
                an_article_gets_the_next_free_slot
                an_article_in_a_slot_is_published_then_and_not_before
                an_approved_post_gets_the_next_free_slot
                where_all_slots_are_taken_an_article_waits_for_approval
                articles_that_are_ready_at_once_get_slots_of_their_own
            }
            late_posts {
                without_slots_they_are_published_in_their_order_with_pauses
                whoever_missed_a_later_time_too_is_late_again
                who_was_given_up_holds_up_nobody
                one_that_is_late_afterwards_comes_behind_the_others
                what_is_due_for_less_than_a_quarter_of_an_hour_is_not_late
                with_slots_one_is_published_and_the_others_move_on
                with_slots_none_that_is_late_comes_beside_one_on_time
                those_of_a_website_that_is_resumed_come_one_after_the_other
                what_a_user_publishes_or_is_tried_again_is_not_late
                articles_that_are_written_too_late_come_one_after_the_other
                a_website_that_cannot_be_read_keeps_no_others_waiting
            }
            targets {
                a_website_publishes_where_it_was_last_set_to
                no_two_websites_have_one_folder
                articles_that_wait_for_a_corrected_target_are_due_at_once
                a_target_that_was_changed_meanwhile_is_not_replaced
                the_system_of_a_website_gets_few_articles_at_a_time
                a_file_is_removed_once_its_article_is_not_public_any_more
                what_a_failed_attempt_left_is_removed_once_its_article_is_not_to_be_there
                a_removal_from_a_folder_with_an_invalid_name_waits_like_any_other_that_failed
                a_server_that_stops_begins_no_removal
            }
            pipeline {
                an_approved_post_is_published_at_its_time_with_its_article
                what_is_to_go_out_at_once_does_not_wait_for_its_former_time
                a_cancelled_post_is_never_published
                what_the_scheduler_has_claimed_is_left_alone
                a_publication_that_failed_is_tried_again_with_all_attempts
                a_post_whose_job_failed_gets_another_job
                an_archived_article_leaves_its_website_and_can_be_a_draft_again
                whoever_is_first_cancels_or_publishes
                titles_are_searched_with_the_other_filters
            }
            leads {
                a_lead_is_stored_with_its_event
                the_same_person_within_ten_minutes_is_one_lead_with_one_event
                a_burst_of_one_person_is_one_lead
                a_person_gets_one_link_in_ten_minutes_whatever_the_forms
                a_lead_is_confirmed_once_with_one_event
                a_confirmation_and_an_erasure_at_once_leave_nothing_of_the_lead
                without_an_address_every_capture_is_new
                a_lead_whose_event_cannot_be_stored_is_not_stored
            }
            deliveries {
                an_event_goes_to_every_active_endpoint_that_wants_it_and_no_other
                a_retry_comes_at_its_time_with_the_same_bytes
                an_attempt_of_a_lapsed_claim_is_not_recorded
                one_endpoint_never_takes_all_slots
                endpoints_that_hang_leave_a_slot_for_one_that_does_not
                an_endpoint_that_is_gone_is_disabled_with_all_that_waits_for_it
                an_endpoint_that_fails_for_five_days_is_disabled_and_one_success_starts_anew
                a_removed_endpoint_gets_nothing_more_and_an_account_has_at_most_ten
                a_released_delivery_is_due_at_once_and_was_no_attempt
                times_before_the_epoch_and_far_ahead_are_kept
            }
            delivery_search {
                what_is_older_than_where_one_endpoint_was_left_waits_for_a_later_page
                what_is_due_and_in_flight_is_counted
                a_count_of_what_can_be_sent_again_reads_a_bounded_number_of_deliveries
            }
            queue_statistics {
                what_waits_is_counted_with_the_moment_since_when_and_what_is_paused_does_not_wait
                a_long_queue_is_counted_up_to_a_limit_and_its_oldest_row_is_found
            }
            endpoints {
                what_its_owner_sets_of_an_endpoint_is_changed_and_nothing_else
                during_a_rotation_both_secrets_sign_and_after_it_only_the_new_one
                at_most_two_former_secrets_sign_and_none_longer_than_the_last_overlap
                a_test_goes_to_one_endpoint_once
                a_paused_endpoint_keeps_what_waits_for_it
                what_waits_for_a_corrected_endpoint_is_due_at_once
            }
            health {
                a_failing_endpoint_gets_one_delivery_at_a_time
                attempts_that_are_recorded_at_once_all_count
                ten_failures_within_an_hour_do_not_make_an_endpoint_failing
                an_endpoint_gets_no_more_deliveries_than_its_free_capacity
                a_message_that_is_not_wanted_fails_without_hurting_the_endpoint
                an_endpoint_is_disabled_by_two_messages_that_fail_far_apart
                a_paused_endpoint_is_not_disabled_by_what_was_in_flight
                an_endpoint_that_is_gone_discards_what_waits
                a_lapsed_claim_is_no_attempt_of_the_schedule
            }
            redelivery {
                a_redelivery_has_the_same_id_and_bytes_and_its_success_settles_the_delivery
                a_redelivery_that_fails_leaves_status_and_schedule_as_they_were
                a_message_is_used_up_once_however_often_it_is_redelivered
                what_cannot_be_redelivered_is_told
            }
            recovery {
                a_recovery_sends_once_what_was_given_up_and_what_was_missed
                two_recoveries_at_once_send_nothing_twice
                what_happened_before_an_endpoint_was_registered_it_did_not_miss
                a_failed_job_is_kept_for_an_endpoint_that_is_paused
            }
            log {
                the_log_is_walked_newest_first_without_gaps_or_repeats
                attempts_are_listed_oldest_first
            }
            deletion {
                a_deleted_website_is_invisible_at_once_and_then_removed_with_all_that_belongs_to_it
                work_in_progress_for_a_deleted_website_ends_and_makes_nothing
                a_deleted_website_is_removed_in_small_batches
                a_deleted_account_leaves_nothing_but_one_entry_of_its_audit_trail
                a_deleted_website_does_not_reset_the_jobs_of_the_day
            }
            erasure {
                erasing_a_lead_takes_all_that_was_made_of_it_and_nothing_else
                a_lead_is_erased_while_its_hook_is_in_flight
            }
            retention {
                purging_deletes_expired_keys_and_no_other
                events_are_purged_after_thirty_days_and_nothing_younger
                deliveries_that_have_ended_are_purged_and_none_that_waits
                attempts_are_purged_before_their_deliveries
                leads_are_kept_for_ever_or_as_long_as_their_website_says
                leads_that_nobody_confirmed_are_purged_after_thirty_days_and_no_others
                an_expired_lead_takes_all_that_was_made_of_it_and_nothing_else
                jobs_and_posts_are_purged_ninety_days_after_their_end_and_articles_stay
                the_audit_trail_is_purged_after_two_years
                what_was_purged_was_not_missed
                a_batch_is_small_however_much_hangs_on_its_records
                two_that_purge_at_once_delete_nothing_twice
            }
            statistics {
                what_is_kept_of_a_day_outlives_what_was_counted
                first_steps_are_told_as_they_are_taken
                only_live_keys_that_expire_in_time_are_told
                a_paused_website_with_jobs_that_wait_is_told
            }
            set_aside {
                jobs_that_cannot_be_read_are_set_aside_and_the_others_are_claimed
                an_overdue_job_that_cannot_be_read_keeps_no_other_from_failing
                an_overdue_job_whose_lease_lapsed_waits_for_whoever_can_read_it
                an_overdue_job_whose_claim_lapsed_is_set_aside_once_a_minute
                a_job_that_cannot_be_read_is_left_to_the_worker_that_holds_it
                posts_that_cannot_be_read_are_set_aside_and_the_others_are_claimed
                deliveries_that_cannot_be_read_are_set_aside_and_the_others_are_claimed
                a_delivery_of_an_unknown_kind_is_set_aside_alone
                many_rows_that_cannot_be_read_use_up_one_claim
                many_jobs_of_a_website_that_cannot_be_read_use_up_one_claim
                a_delivery_that_is_set_aside_is_not_in_flight
                an_attempt_that_was_interrupted_keeps_its_number_when_it_is_set_aside
                an_endpoint_that_cannot_be_read_holds_up_no_other
                an_endpoint_that_a_newer_version_registered_gets_what_this_one_knows
            }
            model_usage {
                what_attempts_used_adds_up_for_each_job
            }
            voices {
                every_version_of_a_profile_is_kept_and_none_is_overwritten
                a_version_and_its_entry_in_the_trail_are_written_together_or_not_at_all
                one_profile_is_the_default_whoever_was_before
                a_profile_that_a_website_uses_is_not_removed
                a_profile_of_another_account_is_neither_seen_nor_changed
                an_account_has_at_most_fifty_profiles
            }
            lists {
                rows_that_arrive_during_a_walk_neither_hide_nor_repeat_others
                filters_of_posts_and_articles_hold
                changed_articles_are_in_order_however_many_they_are
                a_search_looks_at_few_rows_for_each_page
                a_restricted_caller_sees_only_its_websites
            }
        }
    };
}

macro_rules! each {
    ($open:path, $($area:ident { $($promise:ident)* })*) => { $( mod $area { $(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $promise() {
            use $open as open;
            let Some((store, database)) = open() else { return };
            let world = $crate::store::world::World::new(store).await.on(database);
            $crate::store::$area::$promise(world).await;
        }
    )* } )* };
}

pub(crate) use {each, promises};
