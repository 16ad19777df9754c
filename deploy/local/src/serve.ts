import type { ServiceName } from '@lyceum/contracts';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { onParentGone } from './npm-parent.js';
import { canListen } from './ports.js';
import { environmentFile } from './service-environments.js';
import { NODE, WORKSPACE } from './workspace.js';

/**
 * `npx nx serve <service>`: one service apart, against the rest of a stack that runs without it. Started in its folder.
 */
async function main(): Promise<void> {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
  const service = name.replace('@lyceum/', '') as ServiceName;
  const file = environmentFile(join(WORKSPACE, '.lyceum/env'), service);
  const start = `npm start -- --without ${service}`;
  if (!existsSync(file)) throw new Error(`The rest of the stack does not run yet. In another terminal: ${start}`);
  const { PORT } = parseEnv(readFileSync(file, 'utf8'));
  if (!(await canListen(Number(PORT)))) {
    throw new Error(`${service} runs already (port ${PORT}). Leave it out of the stack: ${start}`);
  }
  // Restarts when `dist` changes.
  const args = ['--watch', '--watch-preserve-output', '--enable-source-maps', `--env-file=${file}`, 'dist/main.js'];
  const child = spawn(NODE, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
  onParentGone(() => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 0));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
