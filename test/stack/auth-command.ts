import { runServiceCommand } from '@lyceum/local';
import { systemStack, type SystemSite } from './system-stack.js';

/** Runs a subcommand of auth. */
export async function command(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const printed = await runServiceCommand('auth', { ...systemStack().environments.auth }, ...words);
  return JSON.parse(printed.trim().split('\n').at(-1)!) as Record<string, unknown>;
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
