import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { newSecret, signaturesOf } from '#src/webhook-endpoints/webhook-secret.policy.js';

const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];

const BODY = '{"type":"order.paid","data":{"name":"Ölmalerei"}}';
const SECRETS = [newSecret(), newSecret()];

function headersAt(timestamp: number): Record<string, string> {
  const signature = signaturesOf(SECRETS, { id: 'one', timestamp, body: BODY });
  return { 'webhook-id': 'one', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

/** Runs the code of the guide with each list of arguments. Returns results and messages of errors. */
function runGuide(calls: readonly (readonly [string, Record<string, string>, string])[]): unknown {
  const run = `process.stdout.write(JSON.stringify(${JSON.stringify(calls)}.map((call) => {
    try { return verifyWebhook(...call); } catch ({ message }) { return message; }
  })))`;
  const script = ['--input-type=module', '--eval', `${code}\n${run}`];
  return JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
}

it('verifies messages as the guide says', () => {
  const now = Math.floor(Date.now() / 1_000);
  const [one = '', two = ''] = SECRETS;
  const results = runGuide([
    [one, headersAt(now), BODY],
    [two, headersAt(now), BODY],
    [one, headersAt(now), `${BODY} `],
    [newSecret(), headersAt(now), BODY],
    [one, headersAt(now - 301), BODY],
  ]);
  const event: unknown = JSON.parse(BODY);
  expect(results).toEqual([
    event,
    event,
    'The signature is invalid',
    'The signature is invalid',
    'The message is too old',
  ]);
});

it.each(['webhooks.md', 'guides/zh-tw/webhooks.md'])('shows in %s an attempt at the instant of its event', (file) => {
  const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
  const [, attempt = ''] = /^webhook-timestamp: (\d+)$/m.exec(text) ?? [];
  const [, event = ''] = /"timestamp":"([^"]+)"/.exec(text) ?? [];
  expect(Number(attempt) * 1_000).toBe(Date.parse(event));
});
