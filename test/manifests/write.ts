/** `npm run -s manifests -w @lyceum/system-test`: writes the generated manifests, then the golden files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, generatedFiles } from './generated.ts';
import { OVERLAYS, goldenFile, render } from './render.ts';

for (const [file, text] of Object.entries(generatedFiles())) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}
for (const overlay of OVERLAYS) {
  mkdirSync(dirname(goldenFile(overlay)), { recursive: true });
  writeFileSync(goldenFile(overlay), render(overlay));
}
