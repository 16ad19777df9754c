import { lookup } from 'node:dns/promises';
import { eventually } from '@lyceum/testing';
import { HostNotPermitted, OutboundNetwork, permittedAddress } from '../src/http/outbound-request.js';
import { NameServer } from './name-server.js';

const WHOLE_TIME = new AbortController().signal;

let server: NameServer | undefined;
afterEach(() => {
  server?.stop();
  server = undefined;
});

class TestNetwork extends OutboundNetwork {
  override readonly nameServers: readonly string[];

  constructor({ address }: NameServer) {
    super();
    this.nameServers = [address];
  }
}

it('resolves other names of the process while the servers of twelve names are silent', async () => {
  server = await NameServer.start(() => undefined);
  const network = new TestNetwork(server);
  const end = new AbortController();
  const settled: string[] = [];
  const urls = Array.from({ length: 12 }, (_, place) => new URL(`https://receiver-${place}.example`));
  const resolutions = urls.map((url) =>
    permittedAddress(network, url, end.signal).catch((error: unknown) => {
      settled.push(url.hostname);
      return error;
    }),
  );
  await lookup('localhost');
  settled.push('localhost');
  const { questions } = server;
  await eventually(
    () => new Set(questions).size,
    (count) => count === 24,
  );
  expect(settled).toEqual(['localhost']);
  end.abort();
  expect(await Promise.all(resolutions)).toEqual(urls.map(() => new Error('the request timed out')));
});

it('ends its queries with the request', async () => {
  server = await NameServer.start(() => undefined);
  const end = new AbortController();
  const resolution = new TestNetwork(server).resolve('receiver.example', end.signal);
  end.abort();
  await expect(resolution).rejects.toMatchObject({ code: expect.stringMatching(/^ECANCEL/) });
});

it.each<[string, readonly string[] | 'SERVFAIL' | 'NXDOMAIN', readonly string[] | 'SERVFAIL' | 'NXDOMAIN', string[]]>([
  [
    'both families, IPv4 first',
    ['93.184.216.34', '1.1.1.1'],
    ['2606:4700::1111'],
    ['93.184.216.34', '1.1.1.1', '2606:4700::1111'],
  ],
  ['IPv4 alone', ['1.1.1.1'], [], ['1.1.1.1']],
  ['IPv6 alone', [], ['2606:4700::1111'], ['2606:4700::1111']],
  ['IPv4 of a server that fails for IPv6', ['1.1.1.1'], 'SERVFAIL', ['1.1.1.1']],
  ['no address of a name without one', [], [], []],
])('returns %s', async (_name, a, aaaa, addresses) => {
  server = await NameServer.start((_host, type) => (type === 'A' ? a : aaaa));
  expect(await new TestNetwork(server).resolve('receiver.example', WHOLE_TIME)).toEqual(addresses);
  expect(new Set(server.questions)).toEqual(new Set(['A receiver.example', 'AAAA receiver.example']));
});

it.each([
  ['NXDOMAIN', 'NXDOMAIN', 'queryA ENOTFOUND receiver.example'],
  ['SERVFAIL', 'SERVFAIL', 'queryA ESERVFAIL receiver.example'],
  [[], 'SERVFAIL', 'queryAaaa ESERVFAIL receiver.example'],
  [[], [], 'receiver.example has no address'],
  [['1.1.1.1'], ['::1'], 'receiver.example resolves to ::1, which is not public'],
] as const)('permits no host with the addresses %j and %j', async (a, aaaa, message) => {
  server = await NameServer.start((_host, type) => (type === 'A' ? a : aaaa));
  const url = new URL('https://receiver.example');
  const failure = await permittedAddress(new TestNetwork(server), url, WHOLE_TIME).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(HostNotPermitted);
  expect(failure).toHaveProperty('message', message);
});

it.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
  ['school.localhost.', ['127.0.0.1', '::1']],
])('asks no server for %s', async (hostname, addresses) => {
  server = await NameServer.start(() => 'NXDOMAIN');
  expect(await new TestNetwork(server).resolve(hostname, WHOLE_TIME)).toEqual(addresses);
  expect(server.questions).toEqual([]);
});
