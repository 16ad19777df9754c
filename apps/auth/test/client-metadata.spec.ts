import { refusedRedirectUris } from '#src/clients/redirect-uri.policy.js';
import { clientMetadata } from '#src/provider/engine/adapters/client.adapter.js';
import { EngineRig, clientWith } from './engine-rig.js';

const URIS = [
  'https://app.example/cb',
  'HTTPS://APP.example/cb',
  'https://localhost:3000/cb',
  'https://127.0.0.1/cb',
  'https://[::1]/cb',
  'HTTPS://LOCALHOST/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:3000/cb',
  'com.example.app:/cb',
];
/** Lists of one, two and three of the URIs. */
const LISTS = URIS.flatMap((one, at) => [
  [one],
  ...URIS.slice(at + 1).flatMap((two, next) => [
    [one, two],
    ...URIS.slice(at + next + 2).map((three) => [one, two, three]),
  ]),
]);

describe('The metadata of a client', () => {
  let rig: EngineRig;

  beforeAll(async () => {
    rig = await new EngineRig().start();
  });
  afterAll(() => rig.stop());

  it('passes the checks of the engine, and leaves out only redirect URIs that the form refuses', async () => {
    expect(LISTS).toHaveLength(10 + 45 + 120);
    for (const uris of LISTS) {
      const client = clientWith(uris);
      const metadata = { ...clientMetadata(client), client_id: client.client_id };
      await expect(rig.engine.provider.Client.validate(metadata)).resolves.toBeUndefined();
      const isWhole = metadata.redirect_uris?.length === uris.length;
      expect([uris, isWhole]).toEqual([uris, refusedRedirectUris(uris).length === 0]);
    }
  });
});
