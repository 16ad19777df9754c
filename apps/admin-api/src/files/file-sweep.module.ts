import { Module } from '@nestjs/common';
import { FileModule } from './file.module.js';
import { FileSweep } from './file.sweep.js';

/** The sweep of files. Only the service imports it, so subcommands do not run it. */
@Module({ imports: [FileModule], providers: [FileSweep] })
export class FileSweepModule {}
