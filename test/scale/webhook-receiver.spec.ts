import { createHmac, randomBytes } from 'node:crypto';
import { WebhookReceiver } from './webhook-receiver.js';

const secretOf = (): string => `whsec_${randomBytes(24).toString('base64')}`;

describe('a receiver of webhooks', () => {
  const secret = secretOf();
  let url: string;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start((at) => {
      url = at;
      return Promise.resolve(secret);
    });
  });
  afterEach(() => receiver.stop());

  /** Delivers a text, signed by each of the secrets. */
  async function deliver(body: string, ...secrets: string[]): Promise<void> {
    const signed = (each: string): string => {
      const key = Buffer.from(each.replace('whsec_', ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`one.1764288000.${body}`).digest('base64')}`;
    };
    const headers = {
      'webhook-id': 'one',
      'webhook-timestamp': '1764288000',
      'webhook-signature': secrets.map(signed).join(' '),
    };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
  }

  it('waits for the delivery, and accepts its signature', async () => {
    await deliver('knots', secret);
    expect(receiver.signatures('ropes')).toBeUndefined();
    await deliver('ropes', secret);
    expect(receiver.signatures('ropes')).toBe('valid');
  });

  it('accepts one valid signature of two, as during a rotation of the secret', async () => {
    await deliver('knots', secretOf(), secret);
    expect(receiver.signatures('knots')).toBe('valid');
  });

  it('remembers a delivery that another secret signed', async () => {
    await deliver('knots', secretOf());
    await deliver('ropes', secret);
    expect(receiver.signatures('ropes')).toBe('invalid');
  });
});
