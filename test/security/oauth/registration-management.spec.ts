import { Actor, CALLBACK, sourceIn } from './attack.js';

const REGISTER = '/api/oauth/register';
const EVIL = 'https://evil.example/callback';

it('does not read, change or delete a registration by its URL (no RFC 7592)', async () => {
  const actor = new Actor(sourceIn(52));
  const { status, body } = await actor.send(REGISTER, { json: { client_name: 'Mine', redirect_uris: [CALLBACK] } });
  expect(status).toBe(201);
  expect(body).not.toHaveProperty('registration_access_token');
  expect(body).not.toHaveProperty('registration_client_uri');
  const client_id = String(body['client_id']);
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer guessed' };
    const send = (path: string) =>
      actor.send(path, { method, headers, body: method === 'GET' ? '' : JSON.stringify({ redirect_uris: [EVIL] }) });
    expect((await send(`${REGISTER}/${client_id}`)).status).toBe(404);
    expect((await send(`${REGISTER}?client_id=${client_id}`)).status).toBe(405);
  }
  const evil = { client_id, scope: 'courses:read', redirect_uri: EVIL };
  expect((await actor.send(actor.authorization(evil))).status).toBe(400);
  expect((await actor.send(actor.authorization({ ...evil, redirect_uri: CALLBACK }))).status).toBe(303);
});
