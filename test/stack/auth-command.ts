import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoClient, DemoPerson } from '@lyceum/local';
import type { CommandRequest } from '@lyceum/testing';
import { systemStack, type SystemSite } from './system-stack.js';

/** Runs a subcommand of auth, in the process that runs all of them. Rejects with its message when it refuses. */
export async function command(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { auth_commands, environments } = systemStack();
  const request: CommandRequest = { environment: environments.auth, words };
  const response = await fetch(auth_commands, { method: 'POST', body: JSON.stringify(request) });
  const text = await response.text();
  if (!response.ok) throw new Error(`auth ${words.join(' ')}: ${text}`);
  return JSON.parse(text.trim().split('\n').at(-1)!) as Record<string, unknown>;
}

interface SiteSeed {
  readonly base_url: string;
  readonly name: string;
  readonly slug: string;
  readonly people: readonly DemoPerson[];
  readonly clients: readonly DemoClient[];
}

/** Makes a site with its people and clients by one command. */
export async function applySite(site: SiteSeed): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-seed-'));
  const file = join(directory, 'seed.json');
  try {
    writeFileSync(file, JSON.stringify({ sites: [site] }), { mode: 0o600 });
    await command('apply', file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

interface OwnClient {
  readonly audience: 'member' | 'operator';
  readonly redirect_uri: string;
  readonly scope: string;
}

/** A public client for one test, so that no other test has approved it. */
export async function ownClient(at: SystemSite, client: OwnClient): Promise<{ readonly client_id: string }> {
  const { audience, redirect_uri, scope } = client;
  const words = ['--site', at.base_url, '--audience', audience, '--redirect-uri', redirect_uri, '--scope', scope];
  const { client_id } = await command('client', 'create', '--name', 'Of one test', ...words);
  return { client_id: String(client_id) };
}
