import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { SUBSCRIPTION_STATES, nextChargeOf, standingAt } from './standing.policy.js';
import { Subscription } from './subscription.entity.js';
import { subscription, subscriptionCancellation } from './subscription.schema.js';
import { SubscriptionService } from './subscription.service.js';

const now = (row: Subscription): Subscription => standingAt(row, new Date());

export const subscriptionCollection = collection({
  name: 'subscriptions',
  description: 'Subscriptions of students to membership plans, for owners and admins of the site.',
  scope: 'subscriptions',
  service: SubscriptionService,
  row: Subscription,
  resource: subscription,
  view: {
    state: (row) => now(row).state,
    ended_at: (row) => now(row).ended_at,
    next_charge_at: (row) => nextChargeOf(now(row)),
    is_lifetime: ({ plan_type }) => plan_type === 'lifetime',
  },
  // A period ends without an edit, so the tag includes the state.
  etag: (row) => rowTag(row.revision, SUBSCRIPTION_STATES.indexOf(now(row).state)),
  personal: true,
  toolItem: ['id', 'student_id', 'plan_id', 'state', 'current_period_end', 'cancel_at_period_end', 'next_charge_at'],
  operations: {
    list: {
      id: 'listSubscriptions',
      summary: 'List subscriptions',
      description: 'Subscriptions in each state, also ended ones. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the subscriptions of students to membership plans, newest first, for owners and admins. Use it to find ' +
          'the subscriptions of a student or of a plan, or those with the state past_due.',
      },
      run: (subscriptions, { principal, query }) => subscriptions.list(principal, query),
    },
    get: {
      id: 'getSubscription',
      summary: 'Get a subscription',
      description: 'Returns the state, the current period and the next payment. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one subscription with its periods and its end, for owners and admins. Use it with an id from ' +
          'list_subscriptions.',
      },
      run: (subscriptions, { principal, id }) => subscriptions.get(principal, id),
    },
    create: {
      id: 'createSubscription',
      summary: 'Start a subscription without a payment',
      description:
        'For a gift, or for a subscription that another system kept before. The student gets access to the courses of the ' +
        'plan until the end of the period. It counts as a sale of the plan, and no money moves. Each creation is a ' +
        'subscription of its own; `external_id` keeps a repetition from starting another one. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden', 'invalid_state', 'not_found'],
      tool: {
        description:
          'Starts a subscription of a student to a membership plan without a payment, for owners and admins; each call ' +
          'starts another one. Use it for a gift; update_subscription extends a subscription that exists.',
      },
      run: (subscriptions, { principal, body, tx }) => subscriptions.create(principal, body, tx),
    },
    update: {
      id: 'updateSubscription',
      summary: 'Update a subscription',
      description:
        'JSON Merge Patch (RFC 7396). `current_period_end` extends or shortens the current period of a subscription that ' +
        'has not ended: access and the next payment follow it, and one that is past due is active again. Needs the role ' +
        'owner or admin.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Moves the end of the current period of a subscription, or changes the data of the school about it, for owners ' +
          'and admins. Use it to give a subscriber more time; cancel_subscription ends it.',
      },
      run: (subscriptions, { principal, body, tx, ...key }) => subscriptions.patch(principal, key, body, tx),
    },
    actions: {
      cancel: {
        id: 'cancelSubscription',
        summary: 'Cancel a subscription',
        description:
          'At the end of the current period, or now with `at_period_end: false`, which takes the access of the subscription ' +
          'back. A subscription for life, and one whose period is over, can only end now. Canceling twice changes nothing. ' +
          'No money moves. Needs the role owner or admin.',
        body: subscriptionCancellation,
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Cancels a subscription at the end of its period, or at once with at_period_end false, for owners and admins. ' +
            'Use it when a subscriber leaves; resume_subscription undoes a cancellation at the end of the period.',
        },
        run: (subscriptions, { principal, body, tx, ...key }) => subscriptions.cancel(principal, key, body, tx),
      },
      resume: {
        id: 'resumeSubscription',
        summary: 'Resume a subscription',
        description:
          'Undoes a cancellation at the end of the period, until that end. A subscription that has ended stays ended. Needs ' +
          'the role owner or admin.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Resumes a canceled subscription that has not ended yet, for owners and admins. Use it when a ' +
            'subscriber stays; create_subscription starts another one after the end.',
        },
        run: (subscriptions, { principal, tx, ...key }) => subscriptions.resume(principal, key, tx),
      },
    },
  },
});
