import { MAX_JSON_DEPTH } from '@lyceum/platform';
import { BODY_LIMIT } from '#src/edge/body.js';
import { LIMITS } from '#src/limits/limits.js';
import type { Limit } from '@lyceum/rate-limit';
import { SLOW_DOWN, SLOW_DOWN_EVERYWHERE } from '#src/sign-ins/slow-down.policy.js';
import { PASSKEY_LIMITS } from '#src/passkeys/passkey.policy.js';
import { LIFETIMES, MAX_REPEATS } from '#src/protocol/lifetimes.js';
import { AUTHORIZATION_LIMITS } from '#src/provider/engine/authorization.policy.js';
import { REGISTRATION_LIMITS } from '#src/registrations/registration.policy.js';
import type { SiteRecord } from '#src/sites/site.js';

const DAY = 86_400;

function duration(seconds: number): string {
  if (seconds % DAY === 0 && seconds > 0) return `${seconds / DAY} days`;
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

const per = ({ hits, windowSeconds }: Limit, what = ''): string => `${hits}${what} in ${duration(windowSeconds)}`;

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  return [head, ['---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The lifetimes and limits of links by email, where the site offers them. */
function emailLinks({ settings: { sign_up, sign_in_links } }: Pick<SiteRecord, 'settings'>) {
  const { email_links: mails, email_links_by_source: bySource, email_links_of_strangers: ofStrangers } = LIMITS;
  const signUp = [['Sign-up link', duration(LIFETIMES.signUpLink)]] as const;
  const signIn = [['Sign-in link', duration(LIFETIMES.signInLink)]] as const;
  const rates = [
    ['Mails with a sign-up or sign-in link', `${per(mails)} per address`],
    ['Requests for a sign-up or sign-in link', `${per(bySource)} per source, then once for each address`],
    ['Requests for such a link with an unknown browser', `${per(ofStrangers)} per source`],
  ] as const;
  return {
    lifetimes: [...(sign_up ? signUp : []), ...(sign_in_links ? signIn : [])],
    rates: sign_up || sign_in_links ? rates : [],
  };
}

/** `repeatSeconds` is a setting of the deployment. */
function lifetimes(site: Pick<SiteRecord, 'settings'>, repeatSeconds: number): string {
  return table(
    ['Item', 'Lifetime'],
    [
      ['Authorization code', duration(LIFETIMES.authorizationCode)],
      ['Access token', duration(LIFETIMES.accessToken)],
      ['id_token', duration(LIFETIMES.idToken)],
      [
        'Refresh token',
        `${duration(LIFETIMES.refreshToken)} after its last use, ${duration(LIFETIMES.refreshTokenFamily)} at most`,
      ],
      [
        'Replaced refresh token',
        repeatSeconds === 0 ? 'not repeatable' : `repeatable for ${duration(repeatSeconds)}, ${MAX_REPEATS} times`,
      ],
      [
        'Approval remembered',
        `${duration(LIFETIMES.consent)}; asked each time for a public client whose redirect URI is not https`,
      ],
      ['Time to sign in and decide', duration(LIFETIMES.interaction)],
      [
        'Signed-in browser',
        `${duration(LIFETIMES.session)} after its last use, ${duration(LIFETIMES.sessionAtMost)} at most`,
      ],
      [
        'Registered client',
        `${duration(LIFETIMES.unusedRegistration)} without a use, ${duration(LIFETIMES.registration)} after its last use`,
      ],
      ['Invitation', duration(LIFETIMES.invitation)],
      ['Password-reset link', duration(LIFETIMES.passwordReset)],
      ...emailLinks(site).lifetimes,
      ['Passkey challenge', duration(LIFETIMES.passkeyChallenge)],
    ],
  );
}

/** Every lifetime and limit for clients and people; `repeatSeconds` is a setting of the deployment. */
export function limits(site: Pick<SiteRecord, 'settings'>, repeatSeconds: number): string {
  const { nameLength, redirectUris, redirectUriLength } = REGISTRATION_LIMITS;
  const { perPerson } = PASSKEY_LIMITS;
  const rates = table(
    ['Item', 'Limit'],
    [
      ['Body of a request', `${BODY_LIMIT} bytes`],
      ['JSON body', `${MAX_JSON_DEPTH} levels of lists and objects`],
      ['Authorization requests', `${per(LIMITS.authorizations)} per client and source`],
      ['Authorization requests of all clients', `${per(LIMITS.authorizations_by_source)} per source`],
      ['Query of an authorization request', `${AUTHORIZATION_LIMITS.query} bytes`],
      ['`state`', `${AUTHORIZATION_LIMITS.state} bytes`],
      ['`nonce`', `${AUTHORIZATION_LIMITS.nonce} bytes`],
      ['`login_hint`', `${AUTHORIZATION_LIMITS.login_hint} bytes`],
      ['Registrations', `${per(LIMITS.registration)} per source`],
      ['Registrations at this site', `${per(LIMITS.registration_by_site)}`],
      ['`client_name`', `${nameLength} characters`],
      ['`redirect_uris`', `${redirectUris}, each of ${redirectUriLength} characters`],
      ['Client metadata documents', `${per(LIMITS.documents_by_source, ' fetched')} per source`],
      ['Client metadata documents of one host', `${per(LIMITS.documents_by_host, ' fetched')}`],
      ['Sign-in of one account', `slower after ${SLOW_DOWN.freeAttempts} failures per source`],
      ['Sign-in of one account from everywhere', `slower after ${SLOW_DOWN_EVERYWHERE.freeAttempts} failures`],
      ['Sign-in', `${per(LIMITS.failed_sign_ins, ' failures')} per source, then not for accounts that failed there`],
      ['Sign-in with an unknown browser', `${per(LIMITS.failed_sign_ins_of_strangers, ' failures')} per source`],
      ['Sign-in pages that offer passkeys', `${per(LIMITS.passkey_requests)} per source`],
      ['Password-reset mails', `${per(LIMITS.password_resets)} per account`],
      ['Password resets', `${per(LIMITS.password_resets_by_source)} per source, then once for each address`],
      ['Password resets with an unknown browser', `${per(LIMITS.password_resets_of_strangers)} per source`],
      ...emailLinks(site).rates,
      ['Passkeys of a person', `${perPerson} at a site, with names of ${PASSKEY_LIMITS.nameLength} characters`],
      ['Wrong client secrets', `${per(LIMITS.wrong_secrets)} per client and source`],
      ['Token requests', `${per(LIMITS.token_requests)} per client and source`],
      ['Token requests of one grant', `${per(LIMITS.token_requests_of_grant)}, refreshes included`],
      ['Revocations', `${per(LIMITS.revocations)} per client and source`],
      ['Introspections', `${per(LIMITS.introspections)} per client and source`],
      ['UserInfo requests of one grant', `${per(LIMITS.userinfo_requests)}`],
      ['Refused access tokens at UserInfo', `${per(LIMITS.refused_tokens)} per source`],
    ],
  );
  return `${lifetimes(site, repeatSeconds)}\n\n${rates}`;
}

/** Features that clients know from other servers, and the response of this one. */
export function notSupported(): string {
  return table(
    ['Feature', 'Response'],
    [
      ['`agent_auth` in any form', '404 that points here'],
      ['`response_type=token` and all others but `code`', '`unsupported_response_type`'],
      ['`grant_type=password`', '`unsupported_grant_type`'],
      ['`grant_type=client_credentials`', '`unsupported_grant_type`'],
      ['`grant_type=urn:ietf:params:oauth:grant-type:device_code`', '`unsupported_grant_type`'],
      ['`grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`', '`unsupported_grant_type`'],
      ['`code_challenge_method=plain`', '`invalid_request`'],
      ['`client_secret_basic`', '`invalid_client`'],
      ['PAR (RFC 9126)', '404'],
      ['`request` (RFC 9101)', '`request_not_supported`'],
      ['`request_uri` (RFC 9101)', '`request_uri_not_supported`'],
      ['DPoP (RFC 9449)', 'ignored: `token_type` is `Bearer`'],
    ],
  );
}

/** Errors of the OAuth endpoints (RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2). */
export function errors(): string {
  return table(
    ['Error', 'When'],
    [
      ['`invalid_request`', 'a parameter is missing, given twice or malformed'],
      ['`invalid_client`', 'the client is unknown, or did not authenticate'],
      ['`invalid_grant`', 'the code or refresh token is unknown, used, expired, revoked or of another client'],
      ['`unsupported_grant_type`', 'see below'],
      ['`unsupported_response_type`', 'see below'],
      ['`unsupported_response_mode`', '`response_mode` is not `query`'],
      ['`invalid_scope`', 'a scope is unknown, or the client may not ask for it'],
      [
        '`invalid_target`',
        '`resource` is missing for member scopes, or is not this site; the description names the value to send',
      ],
      ['`access_denied`', 'the person did not allow it, or may not'],
      ['`login_required`', '`prompt=none`, and the browser has no session'],
      ['`consent_required`', '`prompt=none`, and the person has not allowed it yet'],
      ['`invalid_redirect_uri`', 'at registration: a redirect URI that is neither loopback nor the platform’s'],
      ['`invalid_client_metadata`', 'at registration: anything else that cannot be registered'],
      ['`unsupported_token_type`', 'at revocation: a signed token, which cannot be revoked'],
      ['`temporarily_unavailable`', '429 or 503: try again after `Retry-After`'],
    ],
  );
}
