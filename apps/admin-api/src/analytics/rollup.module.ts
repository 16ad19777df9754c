import { Module } from '@nestjs/common';
import { RollupRepository } from './rollup.repository.js';
import { RollupService } from './rollup.service.js';

/** The rollups alone, for the command that rebuilds them. */
@Module({ providers: [RollupRepository, RollupService], exports: [RollupService] })
export class RollupModule {}
