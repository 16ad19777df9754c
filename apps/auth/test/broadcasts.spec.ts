import { Outbox } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { REVOCATION_SUBJECT } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { ApplicationsService } from '#src/applications/applications.service.js';
import { DocumentAdministration } from '#src/client-documents/document.administration.js';
import { DocumentClients } from '#src/client-documents/document-clients.service.js';
import { Administration } from '#src/commands/administration.js';
import { PeopleService } from '#src/people/people.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { renewSecret } from './admin-flow.js';
import { CALLBACK, PASSWORD, SECRET, type TestAuth, startAuth } from './auth.js';
import { Flow } from './flow.js';
import type { Tokens } from './flow.js';
import { Observer } from './observer.js';
import { startResourceServer } from './resource-server.js';
import type { TestResourceServer } from './resource-server.js';
import { applyStudent, studentEvent } from './student-events.js';

let nats: TestNats;
let observer: Observer;
let auth: TestAuth;
let resourceServer: TestResourceServer;
let cases = 0;

beforeAll(async () => {
  nats = await testNats();
  observer = await Observer.of(nats);
  auth = await startAuth({ nats: nats.environment('auth') });
  resourceServer = await startResourceServer(auth, nats);
});
afterAll(async () => {
  await resourceServer.stop();
  await auth.stop();
  await observer.stop();
  await nats.stop();
});

/** A person with an application of their own, and its tokens. */
interface Stage {
  readonly flow: Flow;
  readonly email: string;
  readonly person_id: string;
  readonly client_id: string;
  readonly tokens: Tokens;
  /** The code of the tokens. */
  readonly code: string;
}

const site = async () => {
  const found = await auth.app.get(SitesService).byId(auth.site.site_id);
  if (found === undefined) throw new Error('The stage has it');
  return found;
};
const administration = () => auth.app.get(Administration);
const asResult = (response: { status: number }): void => {
  if (response.status >= 500) throw new Error(`The response was ${response.status}`);
};

/** A client by document, as if it had been fetched and approved. */
const asDocument = (client_id: string) =>
  auth.sql(
    `WITH c AS (UPDATE clients SET source = 'document', review = 'approved', secret_hash = NULL
                 WHERE client_id = $1 RETURNING client_key)
     INSERT INTO client_documents (client_key, expires_at) SELECT client_key, now() + interval '1 hour' FROM c`,
    [client_id],
  );

async function stage(): Promise<Stage> {
  cases += 1;
  const [name, client_id] = [`person-${cases}`, `https://client-${cases}.example/client`];
  const { site_id: _site, ...definition } = auth.site;
  const email = `${name}@school.example`;
  const person = { email, name, password: 'correct-horse-battery', roles: ['lecturer' as const] };
  const client = { client_id, client_secret: SECRET, name, audience: 'operator' as const, redirect_uris: [CALLBACK] };
  const scopes = ['openid', 'courses:read', 'courses:write'];
  const { sites } = await auth.apply({
    sites: [{ ...definition, people: [person], clients: [{ ...client, scopes }] }],
  });
  const flow = new Flow(auth);
  // An https client_id is fetched as a document, unless a client of the site has this id.
  const code = (await flow.callback({ client_id, scope: scopes.join(' ') }, name)).get('code') ?? '';
  const { status, body } = await flow.exchange(code, { client_id, client_secret: SECRET });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const person_id = sites[0]?.people[0]?.person_id ?? '';
  return { flow, email, person_id, client_id, code, tokens: body as unknown as Tokens };
}

type Act = (given: Stage) => Promise<unknown>;
const submitted = async ({ flow }: Stage, path: string, more: Record<string, string> = {}): Promise<void> =>
  asResult(await flow.submit(await flow.browser.open(path), 'current', { current: PASSWORD, ...more }));
const revokedBy =
  (kind: 'access_token' | 'refresh_token'): Act =>
  async ({ flow, tokens, client_id }) =>
    asResult(await flow.post('/api/oauth/revoke', { token: tokens[kind], client_id, client_secret: SECRET }));
const reviewed =
  (review: 'blocked' | 'unreviewed'): Act =>
  async ({ client_id }) => {
    await asDocument(client_id);
    await auth.app.get(DocumentAdministration).review(auth.site.site_id, client_id, review);
  };

/** Every way in which tokens end before their time, and the expected broadcast. */
const WAYS: Readonly<Record<string, { act: Act; kind: 'grant' | 'person' | 'client' }>> = {
  'the client revokes its access token': { act: revokedBy('access_token'), kind: 'grant' },
  'the client revokes its refresh token': { act: revokedBy('refresh_token'), kind: 'grant' },
  'a code is used again': {
    act: async ({ flow, code, client_id }) => asResult(await flow.exchange(code, { client_id, client_secret: SECRET })),
    kind: 'grant',
  },
  'a replaced refresh token comes again after its time': {
    act: async ({ flow, client_id, tokens }) => {
      const client = { client_id, client_secret: SECRET };
      asResult(await flow.refresh(tokens.refresh_token, client));
      await auth.sql(`UPDATE grants SET used_at = used_at - interval '2 minutes'`);
      asResult(await flow.refresh(tokens.refresh_token, client));
    },
    kind: 'grant',
  },
  'the membership of the site is suspended': {
    act: async ({ email }) => administration().suspend(email, await site()),
    kind: 'person',
  },
  'the last role is taken away': {
    act: async ({ email }) => administration().removeRole(await site(), email, 'lecturer'),
    kind: 'person',
  },
  'the school removes its student': {
    act: async ({ person_id, email }) => {
      await auth.sql(`UPDATE site_members SET roles = '{student}' WHERE person_id = $1`, [person_id]);
      await applyStudent(auth, studentEvent(auth, 1, { student_id: uuidv7(), person_id, email, state: 'removed' }));
    },
    kind: 'person',
  },
  'the person is suspended': { act: ({ email }) => administration().suspend(email), kind: 'person' },
  'the person is deleted': { act: ({ email }) => administration().deletePerson(email), kind: 'person' },
  'the person sets another password': {
    act: async ({ flow, email }) => {
      const link = await administration().resetPassword(await site(), email);
      const page = await flow.browser.open(link);
      asResult(await flow.submit(page, 'password', { password: 'another-long-password' }));
    },
    kind: 'person',
  },
  'the person changes the password': {
    act: (given) => submitted(given, '/account/change-password', { password: 'another-long-password' }),
    kind: 'person',
  },
  'the person leaves the site': { act: (given) => submitted(given, '/account/leave'), kind: 'person' },
  'the person signs out everywhere': {
    act: ({ person_id }) => auth.app.get(PeopleService).signOutEverywhere(person_id),
    kind: 'person',
  },
  'the person disconnects the application': {
    act: async ({ person_id, client_id }) => {
      const applications = auth.app.get(ApplicationsService);
      const connected = await applications.page(person_id, auth.site.site_id, '1');
      const [one] = connected.applications.filter((application) => application.client_id === client_id);
      const ended = await applications.disconnect(person_id, auth.site.site_id, one?.client_key ?? '');
      expect(ended?.client_id).toBe(client_id);
    },
    kind: 'grant',
  },
  'the client is deleted': {
    act: async ({ client_id }) => administration().deleteClient(await site(), client_id),
    kind: 'client',
  },
  'the client gets another secret': {
    act: ({ client_id }) => renewSecret(auth, client_id),
    kind: 'client',
  },
  'the client may do less': {
    act: ({ client_id, email }) => {
      const { site_id: _site, ...definition } = auth.site;
      const client = { client_id, client_secret: SECRET, audience: 'operator' as const, redirect_uris: [CALLBACK] };
      const less = { ...client, name: email, scopes: ['openid', 'courses:read'] };
      return auth.apply({ sites: [{ ...definition, people: [], clients: [less] }] });
    },
    kind: 'client',
  },
  'the client by document is blocked': { act: reviewed('blocked'), kind: 'client' },
  'the approval of the client by document is taken back': { act: reviewed('unreviewed'), kind: 'client' },
  'the approved document becomes another': {
    act: async ({ client_id }) => {
      await asDocument(client_id);
      const uris = { redirect_uris: [CALLBACK], post_logout_redirect_uris: [] };
      const document = { client_id, name: 'Another', ...uris, logo_uri: null, etag: null, freshSeconds: 300 };
      await auth.app
        .get(Outbox)
        .transaction((manager) => auth.app.get(DocumentClients).save(manager, auth.site.site_id, document));
    },
    kind: 'client',
  },
};

/** The number of published revocations, once the outbox is empty. */
async function revocationCount(): Promise<number> {
  await eventually(
    () => auth.sql('SELECT 1 FROM outbox WHERE subject = $1 LIMIT 1', [REVOCATION_SUBJECT]),
    (rows) => rows.length === 0,
  );
  return observer.received.filter(({ subject }) => subject === REVOCATION_SUBJECT).length;
}

async function becomes(kind: string, token: string, at = auth.site): Promise<void> {
  await eventually(
    () => resourceServer.tokenState(token, at),
    (state) => state === kind,
  );
}

/** Makes a deletion of a grant fail at the commit, after all other statements. */
async function whileNothingCanBeCommitted(work: () => Promise<void>): Promise<void> {
  await auth.sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
  );
  await auth.sql(`CREATE CONSTRAINT TRIGGER refuse AFTER DELETE ON grants DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await work();
  } finally {
    await auth.sql('DROP TRIGGER refuse ON grants');
    await auth.sql('DROP FUNCTION refuse()');
  }
}

describe.each(Object.entries(WAYS))('Revocation when %s', (_name, { act, kind }) => {
  it('invalidates cached introspection results at once', async () => {
    const given = await stage();
    const { access_token } = given.tokens;
    const { body } = await given.flow.introspect(access_token);
    await becomes('active', access_token);
    const before = observer.received.length;
    await act(given);
    await becomes('inactive', access_token);
    const revocations = observer.received.slice(before).filter(({ subject }) => subject === REVOCATION_SUBJECT);
    const subject = { grant: body['grant_id'], person: given.person_id, client: given.client_id }[kind];
    expect(revocations.map((one) => [one.body['kind'], one.body['subject']])).toContainEqual([kind, subject]);
  });

  it('publishes no revocation when the transaction fails', async () => {
    const given = await stage();
    const { access_token } = given.tokens;
    await becomes('active', access_token);
    const before = await revocationCount();
    await whileNothingCanBeCommitted(() => expect(act(given)).rejects.toThrow(/refused|The response was 5/));
    expect([await given.flow.isActive(access_token), await revocationCount()]).toEqual([true, before]);
  });
});

it('updates the roles of remaining tokens at resource servers at once', async () => {
  const { email, tokens } = await stage();
  const rolesOf = (count: number): Promise<readonly Role[] | undefined> =>
    eventually(
      () => resourceServer.roles(tokens.access_token, auth.site),
      (roles) => roles?.length === count,
    );
  expect(await rolesOf(1)).toEqual(['lecturer']);
  await administration().addRole(await site(), email, 'admin');
  expect(await rolesOf(2)).toEqual(['admin', 'lecturer']);
  await administration().removeRole(await site(), email, 'admin');
  expect(await rolesOf(1)).toEqual(['lecturer']);
});

describe('Suspending a site', () => {
  it('invalidates cached introspection results at once, and publishes nothing when it fails', async () => {
    const flow = new Flow(auth, auth.other);
    const { access_token } = await flow.tokens({ client_id: 'second-member' }, 'stranger');
    await becomes('active', access_token, auth.other);
    const suspend = () => auth.app.get(SitesService).setState(auth.other.site_id, 'suspended');
    const before = await revocationCount();
    await whileNothingCanBeCommitted(() => expect(suspend()).rejects.toThrow(/refused|The response was 5/));
    expect([await flow.isActive(access_token), await revocationCount()]).toEqual([true, before]);
    await suspend();
    await becomes('inactive', access_token, auth.other);
  });
});
