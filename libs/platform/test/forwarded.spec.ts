import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startUnderTest } from './service-under-test.js';
import type { ServiceUnderTest } from './service-under-test.js';

const FORWARDED = {
  'x-forwarded-host': 'school.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '192.0.2.7',
};

/** Returns the client address and host that the service uses. */
function addSeen(app: NestFastifyApplication): void {
  const http = app.getHttpAdapter().getInstance();
  http.get('/seen', ({ host, protocol, ip }: Record<'host' | 'protocol' | 'ip', string>) => ({ host, protocol, ip }));
}

let service: ServiceUnderTest;
afterEach(() => service.close());

const start = async (env: Record<string, string>): Promise<void> => {
  service = await startUnderTest({ env, configure: addSeen });
};
const seen = async (headers: Record<string, string>): Promise<unknown> =>
  (await fetch(`${service.url}/seen`, { headers })).json();
const warnings = () => service.lines.filter(({ level }) => level === 'warn');

describe('X-Forwarded headers', () => {
  it.each(['127.0.0.1', '10.0.0.0/8,127.0.0.0/8'])(
    'trusts the headers of a peer in TRUSTED_PROXIES=%s',
    async (proxies) => {
      await start({ TRUSTED_PROXIES: proxies });
      expect(await seen(FORWARDED)).toEqual({ host: 'school.example', protocol: 'https', ip: '192.0.2.7' });
      expect(warnings()).toEqual([]);
    },
  );

  it.each<Record<string, string>>([{}, { TRUSTED_PROXIES: 'none' }, { TRUSTED_PROXIES: '10.0.0.0/8' }])(
    'logs one warning and ignores the headers of any other peer: %j',
    async (env) => {
      await start(env);
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await seen(FORWARDED)).toEqual({ host: new URL(service.url).host, protocol: 'http', ip: '127.0.0.1' });
      }
      expect(warnings()).toEqual([
        expect.objectContaining({ message: expect.stringContaining('TRUSTED_PROXIES'), peer: '127.0.0.1' }),
      ]);
    },
  );

  it('logs no warning without the headers', async () => {
    await start({});
    await seen({});
    await seen({ 'x-forwarded-for': '' });
    expect(warnings()).toEqual([]);
  });
});
