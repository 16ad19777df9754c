import { OPERATOR_SCOPES } from '@lyceum/contracts';
import { accountSignInPage } from '#src/accounts/account.page.js';
import type { AccountSignInView } from '#src/accounts/account.page.js';
import { emailLinkOverPage, signInLinkPage, signUpPage } from '#src/email-links/email-link.page.js';
import type { EmailLinkView } from '#src/email-links/email-link.page.js';
import {
  emailLinkClosedPage,
  emailLinkRequestPage,
  emailLinkSentPage,
} from '#src/email-links/email-link-request.page.js';
import type { EmailLinkRequestView } from '#src/email-links/email-link-request.page.js';
import { authorizationErrorPage, staleInteractionPage } from '#src/pages/error.page.js';
import {
  invitationDonePage,
  invitationOverPage,
  invitationPage,
  passwordResetPage,
  passwordResetSentPage,
} from '#src/password-links/invitation.page.js';
import type { InvitationView } from '#src/password-links/invitation.page.js';
import { answeredPage } from '#src/provider/engine/answered.page.js';
import { accountChooserPage } from '#src/sign-ins/account-chooser.page.js';
import type { AccountChooserView, ShownAccount } from '#src/sign-ins/account-chooser.page.js';
import { consentPage } from '#src/sign-ins/consent.page.js';
import type { ConsentView } from '#src/sign-ins/consent.page.js';
import { signInPage } from '#src/sign-ins/sign-in.page.js';
import type { SignInView } from '#src/sign-ins/sign-in.page.js';
import { confirmPage, signedOutPage } from '#src/sign-outs/sign-out.page.js';
import {
  BARE_SITE,
  CLIENT,
  CONTEXT,
  CSRF,
  DOCUMENT_CLIENT,
  EMAIL,
  LAST_WEEK,
  OPERATOR_CLIENT,
  PENDING,
  SITE,
} from './planted.ts';
import { statesOf } from './state.ts';
import type { State } from './state.ts';

const passkeyRequest = { options: { challenge: 'AAAA' }, isFirst: false };
const SIGN_IN: SignInView = { pending: PENDING, client: CLIENT, csrf: CSRF, passkeyRequest };
const AT_ACCOUNT: AccountSignInView = { csrf: CSRF, next: '/account', passkeyRequest: undefined, notice: undefined };
const slowedDown = { kind: 'slowed_down', retryAfter: 40 } as const;

const CONSENT: ConsentView = {
  pending: { ...PENDING, prompt: 'consent' },
  client: CLIENT,
  person: CONTEXT.person,
  grantable: { allowed: true, granted: CLIENT.scopes, withheld: [] },
  approved: [],
  logo: undefined,
  csrf: CSRF,
};
const OPERATOR: ConsentView = {
  ...CONSENT,
  client: OPERATOR_CLIENT,
  grantable: { allowed: true, granted: OPERATOR_CLIENT.scopes, withheld: [] },
};
const ON_THIS_COMPUTER = { ...CONSENT.pending, redirect_uri: 'http://127.0.0.1:7777/callback' };

const LINK: EmailLinkView = { email: EMAIL, hasPassword: false, csrf: CSRF, link: 'a-link', isOwnBrowser: true };
const REQUEST: EmailLinkRequestView = {
  purpose: 'sign_up',
  action: '/account/sign-up',
  back: '/account/sign-in',
  csrf: CSRF,
  email: '',
  client: undefined,
};
const BY_EMAIL: EmailLinkRequestView = { ...REQUEST, purpose: 'sign_in', action: '/account/sign-in-link' };
const INVITATION: InvitationView = { email: EMAIL, passkeys: [], keep: [], csrf: CSRF, link: 'a-link' };
const PASSKEYS = ['Phone', 'Laptop'].map((name) => ({
  passkey_id: name,
  name,
  site_id: SITE.site_id,
  site_name: SITE.name,
  created_at: LAST_WEEK,
  last_used_at: null,
}));

const ACCOUNTS: readonly ShownAccount[] = [
  { uid: 'one', name: 'Zoë Walker', email: EMAIL },
  { uid: 'two', name: 'Mei Lin', email: 'mei@example.com' },
];
const chooser = (accounts: readonly ShownAccount[]): AccountChooserView => ({
  client: CLIENT,
  accounts,
  csrf: CSRF,
  query: 'prompt=select_account',
});

/** The pages of an authorization, and of the ways into an account. */
export const SIGN_IN_STATES: readonly State[] = [
  ...statesOf(signInPage, {
    'first visit': [SIGN_IN],
    'passkey first': [{ ...SIGN_IN, passkeyRequest: { ...passkeyRequest, isFirst: true } }],
    'no passkeys, no other ways': [{ ...SIGN_IN, pending: { ...PENDING, site: BARE_SITE }, passkeyRequest: undefined }],
    'wrong password': [{ ...SIGN_IN, email: EMAIL, error: { kind: 'refused' } }],
    'no access': [{ ...SIGN_IN, email: EMAIL, error: { kind: 'no_access' } }],
    'slowed down': [{ ...SIGN_IN, email: EMAIL, error: slowedDown }],
    'refused passkey': [{ ...SIGN_IN, error: { kind: 'passkey_refused' } }],
    'expired form': [{ ...SIGN_IN, error: { kind: 'passkey_stale' } }],
    'forged form': [{ ...SIGN_IN, error: { kind: 'forged' } }],
    'with access since the sign-up': [{ ...SIGN_IN, notice: { kind: 'joined', about: '' } }],
  }),
  ...statesOf(accountSignInPage, {
    'first visit': [SITE, AT_ACCOUNT],
    'signed out': [SITE, { ...AT_ACCOUNT, notice: { kind: 'signed_out', about: '' } }],
    'wrong password': [SITE, { ...AT_ACCOUNT, email: EMAIL, error: { kind: 'refused' } }],
  }),
  ...statesOf(accountChooserPage, {
    'one account': [SITE, chooser(ACCOUNTS.slice(0, 1))],
    'two accounts': [SITE, chooser(ACCOUNTS)],
  }),
  ...statesOf(consentPage, {
    'member application': [CONSENT],
    'operator application': [OPERATOR],
    'more than before': [{ ...OPERATOR, approved: ['openid', 'courses:read'] }],
    'all operator scopes': [{ ...OPERATOR, grantable: { allowed: true, granted: OPERATOR_SCOPES, withheld: [] } }],
    'withheld scopes': [
      { ...OPERATOR, grantable: { allowed: true, granted: ['courses:read'], withheld: ['orders:read'] } },
    ],
    'unverified document': [{ ...OPERATOR, client: DOCUMENT_CLIENT }],
    'approved document': [{ ...OPERATOR, client: { ...DOCUMENT_CLIENT, review: 'approved' } }],
    'registered, named like a platform': [
      { ...OPERATOR, pending: ON_THIS_COMPUTER, client: { ...OPERATOR_CLIENT, name: 'Claude', source: 'loopback' } },
    ],
    platform: [{ ...OPERATOR, client: { ...OPERATOR_CLIENT, name: 'Claude', source: 'platform' } }],
    'forged form': [{ ...CONSENT, forged: true }],
    'refused to a student': [{ ...OPERATOR, grantable: { allowed: false } }],
    'refused without a role': [{ ...CONSENT, grantable: { allowed: false } }],
  }),
  ...statesOf(answeredPage, { 'of a web application': [SITE, 'https://planner.example/callback'] }),
  ...statesOf(authorizationErrorPage, {
    'unknown client': [SITE, { error: 'invalid_client', error_description: 'The client_id is unknown' }],
    temporary: [SITE, { error: 'temporarily_unavailable', retryAfter: 30 }],
    'another error': [SITE, { error: 'invalid_request' }],
  }),
  ...statesOf(staleInteractionPage, { over: [SITE] }),
  ...statesOf(emailLinkRequestPage, {
    'sign-up': [SITE, REQUEST],
    'sign-up for an application': [SITE, { ...REQUEST, client: CLIENT.name }],
    'sign-up, wrong address': [
      SITE,
      { ...REQUEST, email: 'no address', error: { status: 422, message: 'Enter an email address.' } },
    ],
    'sign-in': [SITE, BY_EMAIL],
    'sign-in, too often': [
      SITE,
      { ...BY_EMAIL, email: EMAIL, error: { status: 429, message: 'Try again in 40 seconds.', retryAfter: 40 } },
    ],
  }),
  ...statesOf(emailLinkSentPage, {
    'sign-up': [SITE, { purpose: 'sign_up', again: '/account/sign-up', back: '/account/sign-in' }],
    'sign-in': [SITE, { purpose: 'sign_in', again: '/account/sign-in-link', back: '/account/sign-in' }],
  }),
  ...statesOf(emailLinkClosedPage, {
    'sign-up': [BARE_SITE, 'sign_up', '/account'],
    'sign-in': [BARE_SITE, 'sign_in', '/account'],
  }),
  ...statesOf(signUpPage, {
    'new account': [SITE, LINK],
    'account of another site': [SITE, { ...LINK, hasPassword: true }],
    'short password': [
      SITE,
      { ...LINK, name: 'Zoë Walker', error: { field: 'password', message: 'Enter 10 characters or more.' } },
    ],
    'forged form': [SITE, { ...LINK, error: { field: 'form', message: 'Send the form again.' } }],
    'for an application': [SITE, { ...LINK, leadsToApplication: true }],
  }),
  ...statesOf(signInLinkPage, {
    'same browser': [SITE, LINK],
    'another browser': [SITE, { ...LINK, isOwnBrowser: false }],
    'for an application': [SITE, { ...LINK, leadsToApplication: true }],
  }),
  ...statesOf(emailLinkOverPage, { over: [SITE] }),
  ...statesOf(invitationPage, {
    invitation: [SITE, INVITATION],
    'reset with passkeys': [SITE, { ...INVITATION, passkeys: PASSKEYS, keep: ['Phone'] }],
    'short password': [SITE, { ...INVITATION, error: 'Enter 10 characters or more.' }],
  }),
  ...statesOf(invitationDonePage, { 'signed in': [SITE, true], 'no access': [SITE, false] }),
  ...statesOf(invitationOverPage, { over: [SITE] }),
  ...statesOf(passwordResetPage, {
    'first visit': [SITE, CSRF],
    'too often': [SITE, CSRF, { status: 429, message: 'Try again in 40 seconds.', retryAfter: 40 }],
  }),
  ...statesOf(passwordResetSentPage, { sent: [SITE] }),
  ...statesOf(confirmPage, {
    'at the site': [SITE, { client_id: undefined, post_logout_redirect_uri: undefined, state: undefined }, CSRF],
    'for an application': [
      SITE,
      { client_id: CLIENT.client_id, post_logout_redirect_uri: 'https://planner.example/', state: undefined },
      CSRF,
    ],
  }),
  ...statesOf(signedOutPage, { 'signed out': [SITE] }),
];
