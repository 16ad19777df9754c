import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_FLAGS } from './service-process.js';
import { WORKSPACE } from './workspace.js';

it('starts a service with the flags of the image', () => {
  const recipe = readFileSync(join(WORKSPACE, 'docker/Dockerfile'), 'utf8');
  const entryPoint: unknown = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(recipe)?.[1] ?? 'null');
  expect(entryPoint).toEqual(['node', ...SERVICE_FLAGS, 'app/bundle/main.js']);
});
