import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { toolCaller } from './tool-caller.js';

const READ = { scopes: ['appearance:read'] };
const WRITE = { scopes: ['appearance:write'] };

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

const shown = async () => (await api.send('GET', '/api/v1/appearance')).body;

describe('get_appearance', () => {
  it('returns the appearance of its site like the REST API and requires the scope', async () => {
    await api.send('PATCH', '/api/v1/appearance', { body: { theme: { font_family: 'serif' } } });
    const { body, headers } = await api.send('GET', '/api/v1/appearance');
    expect(await call('get_appearance', {}, READ)).toEqual({ ...body, etag: headers['etag'] });
    const there = await call('get_appearance', {}, { ...READ, site: api.sites[1] });
    expect(there).toMatchObject({ theme: { font_family: null }, updated_at: null });
    expect(await call('get_appearance', {}, WRITE)).toMatchObject({ code: 'insufficient_scope' });
    expect(await call('get_appearance', {})).toMatchObject({ code: 'invalid_token' });
  });
});

describe('update_appearance', () => {
  it('changes given members, clears null members and keeps the rest', async () => {
    const theme = { accent_color: '#7A1F1F', corners: 'square' };
    await call('update_appearance', { theme, footer: [{ label: 'Terms', url: '/terms' }] }, WRITE);
    const response = await call('update_appearance', { theme: { corners: null } }, WRITE);
    expect(response).toMatchObject({
      appearance: { theme: { accent_color: '#7a1f1f', corners: null }, footer: [{ label: 'Terms', url: '/terms' }] },
      dry_run: false,
    });
    expect(response).toMatchObject({ appearance: await shown() });
  });

  it('changes nothing in a dry run, and once under one key', async () => {
    const before = await shown();
    const args = { footer: [{ label: randomUUID(), url: '/' }] };
    expect(await call('update_appearance', { ...args, dry_run: true }, WRITE)).toMatchObject({
      appearance: args,
      dry_run: true,
    });
    expect(await shown()).toEqual(before);
    const caller = { ...WRITE, person_id: randomUUID() };
    const idempotency_key = randomUUID();
    const first = await call('update_appearance', { ...args, idempotency_key }, caller);
    expect(await call('update_appearance', { ...args, idempotency_key }, caller)).toEqual(first);
    expect(await call('update_appearance', { footer: [], idempotency_key }, caller)).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('refuses unreadable colors and CSS and requires the scope', async () => {
    expect(await call('update_appearance', { theme: { accent_color: '#ffffff' } }, WRITE)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/theme/accent_color', code: 'low_contrast' }],
    });
    const style = { theme: { accent_color: 'red;} body{display:none' } };
    expect(await call('update_appearance', style, WRITE)).toMatchObject({ code: 'validation_failed' });
    expect(await call('update_appearance', {}, READ)).toMatchObject({ code: 'insufficient_scope' });
    expect(await call('update_appearance', {})).toMatchObject({ code: 'invalid_token' });
  });
});
