import { UsageError, readJsonFile, runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Configuration } from '#src/configuration.js';
import { collections } from '#src/collections.js';
import { SchoolModule } from '#src/school.module.js';
import { ProfileSeed } from './profile.seed.js';
import { seedSchema } from './seed.schema.js';
import { SeedService } from './seed.service.js';

@Module({})
class SeedModule {
  static forRoot(config: Configuration): DynamicModule {
    return {
      module: SeedModule,
      imports: [SchoolModule.forRoot(config), ...collections],
      providers: [SeedService, ProfileSeed],
    };
  }
}

/** `apply <file.json>`: see `seedSchema`. Running it again changes nothing. */
export const applyCommand: Command<Configuration> = {
  summary: '<file.json>: make the profile and lecturers of a declaration',
  async run(config, [file]) {
    if (file === undefined) throw new UsageError('apply needs the path of a JSON file');
    const seed = await readJsonFile(file, seedSchema);
    const definition = { name: 'admin-api', module: SeedModule.forRoot };
    await runInContext(definition, config, (context) => context.get(SeedService, { strict: false }).apply(seed));
  },
};
