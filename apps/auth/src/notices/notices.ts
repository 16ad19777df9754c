import { Injectable } from '@nestjs/common';
import { say } from '@lyceum/messages';
import { SigningKey, html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ADMIN_NOTICES } from './admin-notices.js';

const COOKIE = 'lyceum.notice';

/** The sentences about a change that was made, by kind. `about` is the name of the changed thing. */
const SENTENCES = {
  signed_out: () => say('notice.signed_out'),
  signed_out_everywhere: () => say('notice.signed_out_everywhere'),
  signed_up: () => say('notice.signed_up'),
  joined: () => say('notice.joined'),
  session_ended: () => say('notice.session_ended'),
  disconnected: (about) => say('notice.disconnected', { about }),
  profile_changed: () => say('notice.profile_changed'),
  picture_changed: () => say('notice.picture_changed'),
  picture_removed: () => say('notice.picture_removed'),
  password_changed: () => say('notice.password_changed'),
  email_change_requested: () => say('notice.email_change_requested'),
  email_change_canceled: () => say('notice.email_change_canceled'),
  left: (about) => say('notice.left', { about }),
  passkey_added: (about) => say('notice.passkey_added', { about }),
  passkey_renamed: (about) => say('notice.passkey_renamed', { about }),
  passkey_removed: () => say('notice.passkey_removed'),
  ...ADMIN_NOTICES,
} as const satisfies Readonly<Record<string, (about: string) => string>>;

export type NoticeKind = keyof typeof SENTENCES;

export interface Notice {
  readonly kind: NoticeKind;
  readonly about: string;
}

/** The reader of a notice. Undefined before a sign-in. */
export interface Reader {
  readonly site: SiteRecord;
  readonly person: { readonly person_id: string } | undefined;
}

const isKind = (kind: unknown): kind is NoticeKind => typeof kind === 'string' && Object.hasOwn(SENTENCES, kind);

/**
 * Says on the next page that a change was made: the form redirects, so that a reload repeats nothing. The cookie is
 * signed for its reader, so that no other site can put words on a page.
 */
@Injectable()
export class Notices {
  constructor(private readonly settings: AuthSettings) {}

  leave(reply: FastifyReply, reader: Reader, kind: NoticeKind, about = ''): void {
    const value = this.#key(reader).seal(Buffer.from(JSON.stringify([kind, about])));
    setCookie(reply, reader.site, { ...cookie, value, seconds: LIFETIMES.notice });
  }

  /** Shown once: the response removes it. */
  take(request: FastifyRequest, reply: FastifyReply, reader: Reader): Notice | undefined {
    const sealed = readCookie(request, COOKIE);
    if (sealed === undefined) return undefined;
    setCookie(reply, reader.site, { ...cookie, value: '', seconds: 0 });
    const bytes = this.#key(reader).open(sealed);
    if (bytes === undefined) return undefined;
    const [kind, about] = JSON.parse(bytes.toString('utf8')) as unknown[];
    return isKind(kind) ? { kind, about: String(about) } : undefined;
  }

  #key({ site, person }: Reader): SigningKey {
    return new SigningKey(this.settings.cookieKeys, 'notice', site.site_id, person?.person_id ?? '');
  }
}

const cookie = { name: COOKIE, path: '/', sameSite: 'lax' } as const;

export function noticeLine(notice: Notice | undefined): Html | undefined {
  return notice && html`<p class="notice" role="status">${SENTENCES[notice.kind](notice.about)}</p>`;
}
