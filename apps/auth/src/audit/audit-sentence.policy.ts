import { ROLES } from '@lyceum/contracts';
import { listOf, say } from '@lyceum/messages';
import { REVOCATION_REASONS } from './audit-entry.js';
import type { AuditEvent, SessionEnd } from './audit-entry.js';

/** The parts of an entry that its sentence names. */
export interface AuditFacts {
  readonly event: string;
  /** The name of the person; null without one, and for an erased member. */
  readonly person: string | null;
  /** The name of the application, or its client_id. Null without one. */
  readonly client: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The name of the member who changed the person. */
  readonly by?: string | null;
}

/** A name between the quotation marks of the language, or what stands in place of an unknown one. */
const named = (name: string | null, unknown: 'someone' | 'some_app' | 'command'): string =>
  name === null ? say(`audit.${unknown}`) : say('audit.name', { name });

const who = ({ person }: AuditFacts): string => named(person, 'someone');
/** The person who acted in the admin area. A command and the demo act without one. */
const actor = ({ person }: AuditFacts): string => named(person, 'command');
const app = ({ client }: AuditFacts): string => named(client, 'some_app');

const person = (facts: AuditFacts): { person: string } => ({ person: who(facts) });
const both = (facts: AuditFacts): { person: string; app: string } => ({ person: who(facts), app: app(facts) });
const act = (facts: AuditFacts): { person: string; app: string } => ({ person: actor(facts), app: app(facts) });

const REASONS: readonly SessionEnd[] = [...REVOCATION_REASONS, 'replaced'];

function reasonOf({ details }: AuditFacts): string | undefined {
  const reason = REASONS.find((known) => known === details['reason']);
  return reason && say(`audit_reason.${reason}`);
}

const FIELDS = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'compatibility_mode',
  'scopes',
  'slug',
  'state',
  'base_url',
  'mcp_connections',
  'loopback_registration',
  'localhost_registration',
  'cimd_hosts',
  'cimd_open',
  'sign_up',
  'sign_in_links',
] as const;

/** The words of a list, in the order of their names. Names of later releases are left out. */
function wordsOf<Name extends string>(given: unknown, names: readonly Name[], word: (name: Name) => string): string {
  const listed: readonly unknown[] = Array.isArray(given) ? given : [];
  const words = names.filter((name) => listed.includes(name)).map(word);
  return words.length === 0 ? say('audit.none') : listOf(words);
}

const fieldsOf = (given: unknown): string => wordsOf(given, FIELDS, (field) => say(`audit_field.${field}`));
const rolesOf = (given: unknown): string => wordsOf(given, ROLES, (role) => say(`role.${role}`).toLowerCase());

const METHODS = ['password', 'passkey', 'link'] as const;
function methodOf({ details }: AuditFacts): string {
  return say(`audit_method.${METHODS.find((known) => known === details['method']) ?? 'password'}`);
}

function failedSignIn(facts: AuditFacts): string {
  if (facts.person !== null)
    return say('audit_sentence.sign_in_failed', { person: who(facts), method: methodOf(facts) });
  if (facts.details['method'] === 'passkey') return say('audit_sentence.passkey_failed');
  return say('audit_sentence.unknown_failed');
}

const REVIEWS = ['approved', 'blocked', 'unreviewed'] as const;

function reviewedClient(facts: AuditFacts): string {
  const { from, to } = facts.details;
  if (from === 'blocked' && to === 'unreviewed') return say('audit_sentence.client_unblocked', act(facts));
  return say(`audit_sentence.client_${REVIEWS.find((known) => known === to) ?? 'reviewed'}`, act(facts));
}

function changedClient(facts: AuditFacts): string {
  const { from, secret, changed } = facts.details;
  if (from !== undefined) return say('audit_sentence.client_republished', { app: app(facts) });
  if (secret === 'previous_ended') return say('audit_sentence.secret_ended', act(facts));
  if (secret !== undefined) return say('audit_sentence.secret_renewed', act(facts));
  if (!Array.isArray(changed)) return say('audit_sentence.client_changed', act(facts));
  return say('audit_sentence.client_fields_changed', { ...act(facts), fields: fieldsOf(changed) });
}

/** The sentence with the member who made the change, if known. */
function changedBy(facts: AuditFacts, key: 'suspended' | 'reinstated' | 'removed'): string {
  const { by = null } = facts;
  if (by === null) return say(`audit_sentence.${key}`, person(facts));
  return say(`audit_sentence.${key}_by`, { ...person(facts), by: say('audit.name', { name: by }) });
}

function changedRoles(facts: AuditFacts): string {
  const { details, by = null } = facts;
  const change = { ...person(facts), before: rolesOf(details['before']), after: rolesOf(details['after']) };
  if (by === null) return say('audit_sentence.roles_changed', change);
  return say('audit_sentence.roles_changed_by', { ...change, by: say('audit.name', { name: by }) });
}

function changedSite(facts: AuditFacts): string {
  const { settings = facts.details } = facts.details;
  const fields = fieldsOf(Object.keys(settings ?? {}));
  if (facts.person === null) return say('audit_sentence.site_changed', { fields });
  return say('audit_sentence.site_changed_by', { ...person(facts), fields });
}

function endedAccess(facts: AuditFacts): string {
  const reason = reasonOf(facts);
  if (reason === undefined) return say('audit_sentence.access_ended', both(facts));
  return say('audit_sentence.access_ended_reason', { ...both(facts), reason });
}

function endedSession(facts: AuditFacts): string {
  const reason = reasonOf(facts);
  if (reason === undefined) return say('audit_sentence.session_ended', person(facts));
  return say('audit_sentence.session_ended_reason', { ...person(facts), reason });
}

type Sentence = (facts: AuditFacts) => string;

/** One sentence for each event. The record has a member for each event, so that none is shown as a code. */
const SENTENCES: Readonly<Record<AuditEvent, Sentence>> = {
  'sign_in.succeeded': (facts) => say('audit_sentence.signed_in', { ...person(facts), method: methodOf(facts) }),
  'sign_in.failed': failedSignIn,
  'sign_in.slowed_down': () => say('audit_sentence.slowed_down'),
  'session.ended': endedSession,
  'signed_out.everywhere': (facts) => say('audit_sentence.signed_out_everywhere', person(facts)),
  'password.changed': (facts) => say('audit_sentence.password_changed', person(facts)),
  'password.reset_requested': (facts) => say('audit_sentence.reset_requested', person(facts)),
  'email.change_requested': (facts) => say('audit_sentence.email_requested', person(facts)),
  'email.change_refused': (facts) => say('audit_sentence.email_refused', person(facts)),
  'email.changed': (facts) => say('audit_sentence.email_changed', person(facts)),
  'data.exported': (facts) => say('audit_sentence.data_exported', person(facts)),
  'account.signed_up': (facts) => say('audit_sentence.signed_up', person(facts)),
  'sign_in_link.requested': (facts) => say('audit_sentence.link_requested', person(facts)),
  'passkey.added': (facts) => say('audit_sentence.passkey_added', person(facts)),
  'passkey.removed': (facts) => say('audit_sentence.passkey_removed', person(facts)),
  'passkey.count_went_back': (facts) => say('audit_sentence.passkey_copied', person(facts)),
  'role.changed': changedRoles,
  'member.suspended': (facts) => changedBy(facts, 'suspended'),
  'member.reinstated': (facts) => changedBy(facts, 'reinstated'),
  'member.removed': (facts) =>
    facts.details['left'] === true ? say('audit_sentence.left', person(facts)) : changedBy(facts, 'removed'),
  'profile.changed': (facts) => say('audit_sentence.profile_changed', person(facts)),
  'student.moved': (facts) => say('audit_sentence.student_moved', person(facts)),
  'consent.given': (facts) => say('audit_sentence.allowed', both(facts)),
  'consent.denied': (facts) => say('audit_sentence.denied', both(facts)),
  'consent.withdrawn': (facts) => say('audit_sentence.disconnected', both(facts)),
  'token.issued': (facts) => say('audit_sentence.access_given', both(facts)),
  'token.refresh_repeated': (facts) => say('audit_sentence.refresh_repeated', both(facts)),
  'grants.revoked': endedAccess,
  'client.created': (facts) => say('audit_sentence.client_created', act(facts)),
  'client.changed': changedClient,
  'client.deleted': (facts) => say('audit_sentence.client_deleted', act(facts)),
  'client.registered': (facts) => say('audit_sentence.registered', { app: app(facts) }),
  'client.fetched': (facts) => say('audit_sentence.fetched', { app: app(facts) }),
  'client.reviewed': reviewedClient,
  'site.changed': changedSite,
  'site.deleted': () => say('audit_sentence.site_deleted'),
  'key.rotated': () => say('audit_sentence.key_rotated'),
  'person.suspended': (facts) => say('audit_sentence.person_suspended', person(facts)),
  'person.reinstated': (facts) => say('audit_sentence.person_reinstated', person(facts)),
  'person.deleted': (facts) => say('audit_sentence.person_deleted', person(facts)),
};

export const AUDIT_EVENTS = Object.keys(SENTENCES) as readonly AuditEvent[];

const isEvent = (event: string): event is AuditEvent => Object.hasOwn(SENTENCES, event);

/** Begins with a capital, unless a name stands first, which stays as it is. */
function begun(sentence: string, { person: name, client }: AuditFacts): string {
  const unnamed = [name === null && say('audit.someone'), name === null && say('audit.command')];
  const first = [...unnamed, client === null && say('audit.some_app')];
  const isUnnamed = first.some((words) => words !== false && sentence.startsWith(words));
  return isUnnamed ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

/** The sentence in the language of the reader. */
export function auditSentence(facts: AuditFacts): string {
  return isEvent(facts.event) ? begun(SENTENCES[facts.event](facts), facts) : facts.event;
}
