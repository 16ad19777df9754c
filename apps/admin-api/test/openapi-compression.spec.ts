import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { startAdminApi, type TestApi } from './admin-api.js';

/** Compressed bytes of the document. The reference in the browser loads it beside its script. */
const MOST_BYTES = 150_000;

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

function openapi(headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${api.service.url}/openapi.json`, { headers }, resolve).on('error', reject);
  });
}

describe('/openapi.json', () => {
  it('sends gzip to a client that accepts it, with a validator of its own', async () => {
    for (const { host, base_url } of api.sites) {
      const [plain, response] = [await openapi({ host }), await openapi({ host, 'accept-encoding': 'br, gzip' })];
      expect([plain.headers['content-encoding'], response.headers['content-encoding']]).toEqual([undefined, 'gzip']);
      expect([plain.headers['vary'], response.headers['vary']]).toEqual(Array(2).fill('host, accept-encoding'));
      const [text, body] = [await buffer(plain), await buffer(response)];
      expect(gunzipSync(body).equals(text)).toBe(true);
      expect(text.toString()).toContain(`${base_url}/oauth/authorize`);
      expect(body.length).toBeLessThan(MOST_BYTES);

      const { etag = '' } = response.headers;
      expect(etag).not.toBe(plain.headers.etag);
      const known = { host, 'accept-encoding': 'gzip', 'if-none-match': etag };
      const again = await openapi(known);
      expect([again.statusCode, (await buffer(again)).length]).toEqual([304, 0]);
    }
  });
});
