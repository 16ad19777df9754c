import { ApplicationsService } from '#src/applications/applications.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { Administration } from '#src/commands/administration.js';
import { Outbox } from '@lyceum/messaging';
import { PeopleService } from '#src/people/people.service.js';
import { MembersService } from '#src/members/members.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';
import { Hold } from './hold.js';

const NAME = 'both';

/** A remembered approval is used during its withdrawal, which also ends all grants. */
describe('An authorization without interaction', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  const grants = async (): Promise<number> => (await auth.sql('SELECT 1 FROM grants')).length;

  /** Runs the withdrawal up to the existing grants, and starts another authorization before it continues. */
  async function during(takeAway: () => Promise<unknown>): Promise<{ flow: Flow; code: string | null }> {
    const flow = new Flow(auth, auth.site, SERVER);
    await flow.callback({}, NAME);
    const hold = await Hold.of(auth, 'SELECT 1 FROM grants FOR UPDATE');
    const takenAway = takeAway();
    await hold.waiting(1);
    const authorization = flow.browser.open(flow.authorizationUrl());
    await hold.waiting(2);
    await hold.release();
    await takenAway;
    return { flow, code: (await authorization).url.searchParams.get('code') };
  }

  it('issues nothing to an application that the person disconnects at the same time', async () => {
    const person = await auth.app.get(PeopleService).byEmail(`${NAME}@school.example`);
    const { person_id } = person!;
    const { site_id } = auth.site;
    const client = await auth.app.get(ClientsService).atSite(SERVER.client_id, site_id);
    const { code } = await during(() =>
      auth.app.get(ApplicationsService).disconnect(person_id, site_id, client!.client_key),
    );
    expect([code, await grants()]).toEqual([null, 0]);
  });

  it('issues nothing when the person loses the last role at the same time', async () => {
    const person = await auth.app.get(PeopleService).byEmail(`${NAME}@school.example`);
    const { site_id } = auth.site;
    const remove = () =>
      auth.app
        .get(Outbox)
        .transaction((manager) => auth.app.get(MembersService).remove(manager, site_id, person!, 'student'));
    const { code } = await during(remove);
    expect([code, await grants()]).toEqual([null, 0]);
    expect(await auth.sql('SELECT 1 FROM access_tokens')).toEqual([]);
    await auth.app
      .get(Outbox)
      .transaction((manager) => auth.app.get(MembersService).add(manager, site_id, person!, 'student'));
  });

  it('issues nothing when the person is deleted at the same time', async () => {
    await auth.sql('DELETE FROM grants');
    const flow = new Flow(auth, auth.site, SERVER);
    await flow.callback();
    const hold = await Hold.of(auth, 'SELECT 1 FROM site_members FOR UPDATE');
    const deleted = auth.app.get(Administration).deletePerson('student@school.example');
    await hold.waiting(1);
    const authorization = flow.browser.open(flow.authorizationUrl());
    await hold.waiting(2);
    await hold.release();
    await deleted;
    const { status, url } = await authorization;
    expect([status < 500, url.searchParams.get('code'), await grants()]).toEqual([true, null, 0]);
  });

  it('issues nothing when the person signs out everywhere at the same time', async () => {
    await auth.sql('DELETE FROM grants');
    const people = auth.app.get(PeopleService);
    const person = await people.byEmail(`${NAME}@school.example`);
    const { code } = await during(() => people.signOutEverywhere(person!.person_id));
    expect([code, await grants()]).toEqual([null, 0]);
  });

  it('issues nothing that would survive a suspension of the site', async () => {
    await auth.sql('DELETE FROM grants');
    const { code } = await during(() => auth.app.get(SitesService).setState(auth.site.site_id, 'suspended'));
    expect([code, await grants()]).toEqual([null, 0]);
  });
});
