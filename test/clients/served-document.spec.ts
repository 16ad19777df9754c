import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemStack } from '../stack/system-stack.js';

describe('/openapi.json', () => {
  it('serves the built openapi.json with the origin of the site', async () => {
    const { base_url } = systemStack().sites[0]!;
    const built = readFileSync(join(__dirname, '../../dist/openapi.json'), 'utf8');
    const served: unknown = await (await fetch(`${base_url}/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(built.replaceAll('https://school.example', base_url)));
  });
});
