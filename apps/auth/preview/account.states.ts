import { accountPage, disconnectPage, signOutEverywherePage } from '#src/accounts/account.page.js';
import { newPasskeyPage, noPasskeysPage, passkeysPage, removePasskeyPage } from '#src/accounts/passkeys.page.js';
import { passwordChangePage } from '#src/accounts/password-change.page.js';
import { fieldsOf, profilePage } from '#src/accounts/profile.page.js';
import { dataExportPage } from '#src/data-exports/data-export.page.js';
import { departurePage, ownerStaysPage } from '#src/departures/departure.page.js';
import { emailChangeLinkOverPage, emailChangeLinkPage } from '#src/email-changes/email-change-link.page.js';
import type { EmailChangeLinkView } from '#src/email-changes/email-change-link.page.js';
import { emailChangePage } from '#src/email-changes/email-change.page.js';
import { failurePage, staleFormPage } from '#src/pages/error.page.js';
import {
  BARE_SITE,
  CONNECTED,
  CONTEXT,
  CSRF,
  EMAIL,
  LAST_WEEK,
  NEW_EMAIL,
  PASSKEY,
  RECENTLY,
  SITE,
  STUDENT,
  TOMORROW,
  noticed,
} from './planted.ts';
import { statesOf } from './state.ts';
import type { State } from './state.ts';

const NONE = { applications: [], number: 1, more: false };
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';
const HERE = { uid: CONTEXT.session.uid, user_agent: CHROME, began_at: RECENTLY, used_at: RECENTLY };
const ELSEWHERE = { uid: 'another', user_agent: null, began_at: LAST_WEEK, used_at: RECENTLY };
const wrong = { status: 422, field: 'current', message: 'The password is wrong.' } as const;
const tooOften = { status: 429, field: 'current', message: 'Try again in 40 seconds.', retryAfter: 40 } as const;

const OPEN = { new_email: NEW_EMAIL, approved: true, confirmed: false, expires_at: TOMORROW };
const LINK: EmailChangeLinkView = {
  ...OPEN,
  approved: false,
  person_id: CONTEXT.person.person_id,
  side: 'approval',
  email: EMAIL,
  taken: false,
  outcome: null,
  csrf: CSRF,
  link: 'a-link',
};
const PROFILE = { ...CONTEXT, uploaded: undefined };
const FIELDS = fieldsOf(CONTEXT.person);

/** The pages of the account of a person. */
export const ACCOUNT_STATES: readonly State[] = [
  ...statesOf(accountPage, {
    'no applications': [STUDENT, NONE, [HERE]],
    'applications and browsers': [
      CONTEXT,
      {
        applications: [CONNECTED, { ...CONNECTED, name: 'A tool on a laptop', unverified: true, used_at: null }],
        number: 1,
        more: true,
      },
      [HERE, ELSEWHERE],
    ],
    'after a change': [noticed('disconnected', 'Study planner'), NONE, [HERE]],
    'last page of applications': [CONTEXT, { applications: [], number: 2, more: false }, [HERE]],
  }),
  ...statesOf(signOutEverywherePage, { question: [CONTEXT] }),
  ...statesOf(disconnectPage, { question: [CONTEXT, CONNECTED] }),
  ...statesOf(staleFormPage, { 'forged form': [SITE] }),
  ...statesOf(failurePage, {
    'unexpected error': [SITE, { status: 500, error: 'server_error', description: '', headers: {} }],
    'no database': [SITE, { status: 503, error: 'temporarily_unavailable', description: '', headers: {} }],
    'too large': [SITE, { status: 413, error: 'invalid_request', description: 'The body is too large', headers: {} }],
    incomplete: [SITE, { status: 400, error: 'invalid_request', description: 'The body is incomplete', headers: {} }],
  }),
  ...statesOf(profilePage, {
    'no picture': [PROFILE, FIELDS],
    'wrong phone number': [PROFILE, { ...FIELDS, phone: '0912' }, { field: 'phone', message: 'Enter a phone number.' }],
    'refused picture': [PROFILE, FIELDS, { field: 'file', message: 'Choose a PNG, JPEG or WebP file.' }],
    'after a change': [{ ...PROFILE, ...noticed('profile_changed') }, FIELDS],
  }),
  ...statesOf(passwordChangePage, {
    'first visit': [CONTEXT],
    'wrong password': [CONTEXT, wrong],
    'weak password': [CONTEXT, { ...wrong, field: 'password', message: 'Choose a password that is less common.' }],
    'too often': [CONTEXT, tooOften],
  }),
  ...statesOf(passkeysPage, {
    none: [CONTEXT, []],
    two: [
      CONTEXT,
      [PASSKEY, { ...PASSKEY, passkey_id: 'key', name: 'Security key', backed_up: false, last_used_at: null }],
    ],
    'wrong password': [CONTEXT, [PASSKEY], wrong],
    'the most': [
      CONTEXT,
      Array.from({ length: 10 }, (_, at) => ({ ...PASSKEY, passkey_id: `key-${at}`, name: `Key ${at}` })),
    ],
  }),
  ...statesOf(newPasskeyPage, { 'question of the browser': [CONTEXT, { challenge: 'AAAA' }] }),
  ...statesOf(removePasskeyPage, { question: [CONTEXT, PASSKEY] }),
  ...statesOf(noPasskeysPage, { 'no passkeys': [BARE_SITE] }),
  ...statesOf(emailChangePage, {
    'first visit': [CONTEXT, { open: undefined }],
    waiting: [CONTEXT, { open: OPEN }],
    'wrong address': [
      CONTEXT,
      {
        open: undefined,
        email: 'no address',
        error: { status: 422, field: 'email', message: 'Enter an email address.' },
      },
    ],
  }),
  ...statesOf(emailChangeLinkPage, {
    approval: [SITE, LINK],
    approved: [SITE, { ...LINK, approved: true }],
    confirmation: [SITE, { ...LINK, side: 'confirmation' }],
    confirmed: [SITE, { ...LINK, side: 'confirmation', confirmed: true }],
    changed: [SITE, { ...LINK, outcome: 'changed' }],
    refused: [SITE, { ...LINK, outcome: 'refused' }],
    taken: [SITE, { ...LINK, outcome: 'taken' }],
    'forged form': [SITE, { ...LINK, error: 'Send the form again.' }],
  }),
  ...statesOf(emailChangeLinkOverPage, { over: [SITE] }),
  ...statesOf(dataExportPage, {
    'first visit': [CONTEXT],
    unavailable: [CONTEXT, { status: 503, message: 'Try again in a minute.', retryAfter: 60 }],
  }),
  ...statesOf(departurePage, { question: [STUDENT], 'wrong password': [STUDENT, wrong] }),
  ...statesOf(ownerStaysPage, { 'an owner': [CONTEXT] }),
];
