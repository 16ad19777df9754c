import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { testNats, type TestNats } from './test-nats.js';

describe('a NATS server of one test file', () => {
  let nats: TestNats;

  beforeAll(async () => {
    nats = await testNats();
  });
  afterAll(() => nats.stop());

  const open = (user: string, pass?: string) => {
    const { NATS_URL, NATS_PASSWORD } = nats.environment(user);
    return connect({ servers: NATS_URL, user, pass: pass ?? NATS_PASSWORD, reconnect: false });
  };

  it('keeps acknowledged messages through a SIGKILL', async () => {
    const before = await open('admin');
    await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept.>'] });
    const { seq } = await jetstream(before).publish('kept.one', 'payload');
    await before.close();
    await nats.kill();
    await nats.restart();
    const after = await open('admin');
    const message = await (await jetstreamManager(after)).streams.getMessage('KEPT', { seq });
    expect(message?.string()).toBe('payload');
    await after.close();
  });

  it('refuses a wrong password', async () => {
    await expect(open('auth', 'guess')).rejects.toThrow(/authorization/i);
  });

  it('refuses a service’s messages on subjects of another', async () => {
    const connection = await open('member-api');
    const refused = (async () => {
      for await (const status of connection.status()) {
        if (status.type === 'error') return status.error.message;
      }
      return 'closed';
    })();
    connection.publish('school.course.published.v1', '{}');
    await connection.flush();
    await expect(refused).resolves.toMatch(/permissions violation/i);
    await connection.close();
  });
});
