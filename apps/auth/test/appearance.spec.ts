import { NO_THEME, SYSTEM_ACTOR, appearanceEvents, eventType, consumersOf } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';
import { declaredConsumers } from '@lyceum/messaging';
import type { DeclaredConsumer } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { testNats, eventually } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { siteAppearance } from '#src/appearances/appearance.js';
import { AppearancesRepository } from '#src/appearances/appearances.repository.js';
import { AuthSettings } from '#src/auth.environment.js';
import { AuthModule } from '#src/auth.module.js';
import { SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { Observer } from './observer.js';

interface Shown {
  readonly theme?: Partial<Record<keyof Theme, string>>;
  readonly logo_url?: string;
}

describe('The appearance of a site', () => {
  let nats: TestNats;
  let observer: Observer;
  let auth: TestAuth;

  beforeAll(async () => {
    nats = await testNats();
    observer = await Observer.of(nats);
    auth = await startAuth({ nats: nats.environment('auth'), environment: SOON_SEEN });
  });
  afterAll(async () => {
    await auth.stop();
    await observer.stop();
    await nats.stop();
  });

  it('declares a consumer for each of its duties, and no other', () => {
    const lines = (readers: readonly Pick<DeclaredConsumer, 'reader' | 'stream' | 'events'>[]): string[] =>
      readers
        .map(({ reader, stream, events }) => `${stream} ${reader}: ${events.map(({ filter }) => filter).join(' ')}`)
        .sort();
    expect(lines(declaredConsumers(AuthModule.forRoot(auth.app.get(AuthSettings).values)))).toEqual(
      lines(consumersOf('auth')),
    );
  });

  /** Publishes an appearance of the school; returns the id of the event. */
  async function publishAppearance(
    { site_id }: Pick<TestSite, 'site_id'>,
    version: number,
    { theme, ...rest }: Shown,
    epoch = 1,
  ): Promise<string> {
    const id = uuidv7();
    const type = eventType(appearanceEvents, 'updated');
    const appearance = {
      theme: { ...NO_THEME, ...theme },
      logo_url: null,
      favicon_url: null,
      navigation: [],
      footer: [],
    };
    await observer.publish(type, id, {
      id,
      type,
      aggregate_id: site_id,
      aggregate_version: version,
      site_id,
      epoch,
      actor: SYSTEM_ACTOR,
      occurred_at: new Date().toISOString(),
      data: { site_id, ...appearance, ...rest },
    });
    return id;
  }

  /** True when the consumer has processed the event. */
  const seen = (id: string) => async (): Promise<boolean> =>
    (await auth.sql('SELECT 1 FROM inbox WHERE event_id = $1', [id])).length === 1;

  const kept = async ({ site_id }: TestSite): Promise<unknown> => {
    const [row] = await auth.sql<{ version: number; theme: Theme }>(
      'SELECT * FROM site_appearances WHERE site_id = $1',
      [site_id],
    );
    return row && [row.version, row.theme.accent_color];
  };

  const textAt = async (path: string, site: TestSite = auth.site): Promise<string> => {
    const { body } = await new Flow(auth, site).send(path);
    return String(body['text']);
  };

  const ERROR = '/oauth/authorize?client_id=unknown&response_type=code';

  it('shows an appearance within seconds on all pages of the site, and on no page of another', async () => {
    // Engines keep the site that they were created for.
    expect(await textAt(ERROR)).toContain('color-scheme:light dark');
    expect(await textAt(ERROR)).not.toContain('--accent:#7a1f1f');
    await publishAppearance(auth.site, 1, {
      theme: { accent_color: '#7a1f1f' },
      logo_url: 'https://cdn.example.com/logo.svg',
    });
    for (const path of ['/', '/account/sign-in', '/account/password', ERROR]) {
      await eventually(async () => (await textAt(path)).includes('--accent:#7a1f1f'));
      expect(await textAt(path)).toContain(
        '<img class="logo" src="https://cdn.example.com/logo.svg" alt="First School" />',
      );
    }
    const { headers } = await new Flow(auth).send(ERROR);
    expect(headers.get('content-security-policy')).toMatch(
      /; img-src data: https:\/\/cdn\.example\.com; style-src 'sha256-/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const other = await textAt('/', auth.other);
    expect(other).not.toContain('#7a1f1f');
    expect(other).not.toContain('<img');
  });

  it('keeps the newest appearance when older events arrive later', async () => {
    await eventually(seen(await publishAppearance(auth.site, 5, { theme: { accent_color: '#0b5c86' } })));
    expect(await kept(auth.site)).toEqual([5, '#0b5c86']);
    for (const version of [4, 5]) {
      await eventually(seen(await publishAppearance(auth.site, version, { theme: { accent_color: '#2f6b2f' } })));
      expect(await kept(auth.site)).toEqual([5, '#0b5c86']);
    }
    await eventually(seen(await publishAppearance(auth.site, 6, {})));
    expect(await kept(auth.site)).toEqual([6, null]);
  });

  it('ignores colors and URLs that could inject code', async () => {
    await publishAppearance(auth.other, 1, { theme: { accent_color: 'red;} body{display:none' } });
    await publishAppearance(auth.other, 2, { logo_url: 'javascript:alert(1)' });
    await eventually(seen(await publishAppearance(auth.other, 3, { theme: { accent_color: '#2f6b2f' } })));
    expect(await kept(auth.other)).toEqual([3, '#2f6b2f']);
    const texts = await auth.sql<{ theme: object }>('SELECT theme, logo_url FROM site_appearances');
    expect(JSON.stringify(texts)).not.toMatch(/display|javascript/);
  });

  it('applies the appearance of a restored school and no older one', async () => {
    await eventually(seen(await publishAppearance(auth.other, 5, { theme: { accent_color: '#0b5c86' } })));
    await eventually(seen(await publishAppearance(auth.other, 3, { theme: { accent_color: '#7a1f1f' } }, 2)));
    expect(await kept(auth.other)).toEqual([3, '#7a1f1f']);
    await eventually(seen(await publishAppearance(auth.other, 6, { theme: { accent_color: '#0b5c86' } })));
    expect(await kept(auth.other)).toEqual([3, '#7a1f1f']);
  });

  it('stores appearances of existing sites only', async () => {
    const save = auth.app
      .get(DataSource)
      .transaction((manager) =>
        auth.app.get(AppearancesRepository).save(manager, uuidv7(), { ...siteAppearance(null), epoch: 1 }),
      );
    await expect(save).rejects.toThrow('site_appearances_site_id_fkey');
  });
});
