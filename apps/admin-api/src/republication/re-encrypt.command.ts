import { runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { Configuration } from '#src/configuration.js';
import { SchoolModule } from '#src/school.module.js';
import { SecretReEncryption } from '#src/webhook-endpoints/secret-re-encryption.js';

/** `re-encrypt`: see docs/operate/rotation.md. Prints the number of endpoints as a line of JSON. */
export const reEncryptCommand: Command<Configuration> = {
  summary: 'encrypt the secrets of webhook endpoints under the first KEY_ENCRYPTION_KEY',
  async run(config) {
    const definition = { name: 'admin-api', module: SchoolModule.forRoot };
    await runInContext(definition, config, async (context) => {
      const re_encrypted = await context.get(SecretReEncryption, { strict: false }).run();
      process.stdout.write(`${JSON.stringify({ re_encrypted })}\n`);
    });
  },
};
